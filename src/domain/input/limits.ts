/** Input limits, each with one name. Lengths are Unicode code points. */
export const EXTERNAL_REF_MAX = 2048
export const NAME_MIN = 3
export const NAME_MAX = 1024
/**
 * Names without a limit in the reference API (books, hierarchies, nodes, catalogs, rules, modifiers, sales, tiers,
 * variations).
 */
export const FREE_NAME_MAX = 1024
export const DESCRIPTION_MAX = 1024
/** Descriptions of catalog products, hierarchies, nodes and catalogs, for which the reference API has no limit. */
export const PRODUCT_DESCRIPTION_MAX = 65_536
/** Titles and descriptions for the result pages of search engines, which show about 60 and 160 characters. */
export const SEO_TEXT_MAX = 1024
export const SKU_MAX = 1024
/** Lengths of `upc_ean` and `manufacturer_part_num`. */
export const PRODUCT_CODE_MAX = 1024
export const URI_MAX = 1024
export const CUSTOMER_REF_MIN = 3
export const CUSTOMER_REF_MAX = 1024
export const ATTRIBUTE_KEYS_MAX = 100
export const TAG_MAX = 255
export const CATALOG_PRICE_BOOKS_MAX = 5
/** Scheduled releases of one catalog, and days for which a release may be scheduled ahead. */
export const SCHEDULED_RELEASES_MAX = 20
export const SCHEDULE_DAYS_MAX = 366
export const CUSTOM_INPUT_MAX_LENGTH = 255
/** Limit of a currency's text before its format, three letters, is checked. */
export const CURRENCY_MAX = 1024
/** Days of all billing intervals of a plan together, and of its trial: about a thousand years. */
export const PLAN_DAYS_MAX = 366_000
/** Per cent: a hundred times the price. */
export const BASE_PRICE_PERCENTAGE_MAX = 10_000
/** Products of one offering, and plans of one offering. */
export const OFFERING_RECORDS_MAX = 1000
/** Pieces of one item of a subscription. */
export const ITEM_QUANTITY_MAX = 1_000_000
/** The last day of a month on which billing periods can start: each month's last. */
export const BILLING_DAY_MAX = 31
/** Characters of the name of a time zone. */
export const TIME_ZONE_MAX = 255
/** Years for which a start or a change of a subscription may be ahead. */
export const AHEAD_YEARS_MAX = 100
/** Entries of a timeline in one page, and invoices to come in one list. */
export const TIMELINE_PAGE_MAX = 500
export const UPCOMING_INVOICES_MAX = 100
/** Days between the ends of a list of what is due, and invoices in one page of it. */
export const DUE_DAYS_MAX = 366
export const DUE_PAGE_MAX = 500
/** Years between the ends of a timeline. */
export const TIMELINE_YEARS_MAX = 1000
/** Currencies of one price: more than ISO 4217 has. */
export const CURRENCIES_MAX = 200
/** Quantity tiers of one currency of a price. */
export const TIERS_MAX = 100
/** Sales of one product price, and bundles in one sale. */
export const SALES_MAX = 200
export const SALE_BUNDLES_MAX = 500
/** Components of a bundle, and options over all components. */
export const BUNDLE_COMPONENTS_MAX = 100
export const BUNDLE_OPTIONS_MAX = 500
export const PRODUCT_TAGS_MAX = 100
/** Tags by which one request chooses its storefront. */
export const STOREFRONT_TAGS_MAX = 100
export const PRODUCT_FILES_MAX = 100
/** The text that says what an image shows. */
export const FILE_ALT_MAX = 1024
/** Custom inputs of a product, and validation rules of one of them. */
export const CUSTOM_INPUTS_MAX = 100
export const VALIDATION_RULES_MAX = 10
/** Extension templates of a product, and attributes of one template. */
export const EXTENSIONS_MAX = 100
export const EXTENSION_FIELDS_MAX = 500
/** Languages of one record. */
export const LOCALES_MAX = 200
/** Labels of a store, labels that one call upserts, and the characters of their names. */
export const LABELS_MAX = 10_000
export const LABEL_ROWS_MAX = 1000
export const LABEL_NAME_MAX = 255
/** Variations of a product, options over all variations, and price modifiers of one option. */
export const VARIATIONS_MAX = 100
export const VARIATION_OPTIONS_MAX = 1000
export const OPTION_MODIFIERS_MAX = 100
/** Build rules that include, and equally many that exclude. */
export const BUILD_RULES_MAX = 1000
/** Children of one parent, and combinations of options that its build rules may choose from. */
export const CHILDREN_MAX = 1000
export const COMBINATIONS_MAX = 100_000
/** Products that one call attaches to a node or detaches from it. */
export const NODE_PRODUCTS_MAX = 100_000
/** Nodes that one product is attached to. */
export const NODES_OF_PRODUCT_MAX = 500
/** Products that are curated in one node. */
export const NODE_CURATED_MAX = 1000
/** The largest value of PostgreSQL's int4, for sort orders and counts. */
export const INT4_MAX = 2_147_483_647
export const CATALOG_HIERARCHIES_MAX = 1000
/** Values of one criterion of a catalog rule, and schedules of a rule. */
export const RULE_VALUES_MAX = 1000
export const RULE_SCHEDULES_MAX = 100
/** Subscription products with a catalog product's SKU that the product shows. */
export const SKU_SUBSCRIPTION_PRODUCTS_MAX = 100
/** Product prices that one call upserts. */
export const PRICE_ROWS_MAX = 1000
/** Product prices whose sales one call changes, and tags and nodes by which it chooses them. */
export const SALE_ROWS_MAX = 10_000
export const SALE_FILTER_MAX = 100
/** Per cent that a sale takes off at most, and decimals of the percentage. */
export const PERCENT_OFF_MAX = 100
export const PERCENT_DECIMALS_MAX = 4
/** The largest step to which sale amounts are rounded, and digits of an ending. */
export const ROUNDING_STEP_MAX = 1_000_000
export const ROUNDING_ENDING_MAX = 6
/** Length of an idempotency key (write.idempotency-key). */
export const IDEMPOTENCY_KEY_MAX = 255
/** The text of a search for products. */
export const SEARCH_MAX = 200
/** The address of a webhook. */
export const WEBHOOK_URL_MAX = 2048
/** Webhooks of a store. */
export const WEBHOOKS_MAX = 50
/** Seconds for which the previous secret keeps signing after a rotation: by default, and at most. */
export const SECRET_OVERLAP_DEFAULT = 86_400
export const SECRET_OVERLAP_MAX = 604_800
/** Dead letters that one call names. */
export const DEAD_LETTERS_MAX = 1000
/** Why a subscription is paused or canceled. */
export const SUBSCRIPTION_REASON_MAX = 2048
/** Subscriptions that one call of a migration looks at. */
export const SUBSCRIPTIONS_MIGRATED_MAX = 1000
/** Changes that one subscription keeps, further ones that may be cancels, and items in all its changes of terms. */
export const SUBSCRIPTION_CHANGES_MAX = 1000
export const CANCELS_SPARE_MAX = 100
export const SUBSCRIPTION_CHANGED_ITEMS_MAX = 10_000
