/** Limits: one name per limit. Lengths are Unicode code points. */
export const EXTERNAL_REF_MAX = 2048
export const NAME_MIN = 3
export const NAME_MAX = 1024
/** Names where the contract gives no limit (books, hierarchies, nodes, catalogs, rules, modifiers, sales, tiers, variations). */
export const FREE_NAME_MAX = 1024
export const DESCRIPTION_MAX = 1024
/** Catalog products, hierarchies, nodes and catalogs, for which the contract gives no limit: a page of text. */
export const PRODUCT_DESCRIPTION_MAX = 65_536
export const SKU_MAX = 1024
/** upc_ean and manufacturer_part_num. */
export const PRODUCT_CODE_MAX = 1024
export const URI_MAX = 1024
export const CUSTOMER_REF_MIN = 3
export const CUSTOMER_REF_MAX = 1024
export const ATTRIBUTE_KEYS_MAX = 100
export const TAG_MAX = 255
export const CATALOG_PRICE_BOOKS_MAX = 5
export const CUSTOM_INPUT_MAX_LENGTH = 255
/** A currency's form leaves three of them. */
export const CURRENCY_MAX = 1024
/** Days that all billing intervals of a plan, or its trial, take at most: about a thousand years. */
export const PLAN_DAYS_MAX = 366_000
/** A hundred times the price. */
export const BASE_PRICE_PERCENTAGE_MAX = 10_000
/** Products, and plans, of one offering. */
export const OFFERING_RECORDS_MAX = 1000
/** Currencies of one price: more than ISO 4217 has. */
export const CURRENCIES_MAX = 200
/** Quantity tiers of one currency of a price. */
export const TIERS_MAX = 100
/** Sales of one product price, and bundles that one of them names. */
export const SALES_MAX = 200
export const SALE_BUNDLES_MAX = 500
/** Components of a bundle, and options over all of them. */
export const BUNDLE_COMPONENTS_MAX = 100
export const BUNDLE_OPTIONS_MAX = 500
export const PRODUCT_TAGS_MAX = 100
export const PRODUCT_FILES_MAX = 100
/** Texts that a shopper enters for a product, and rules of one of them. */
export const CUSTOM_INPUTS_MAX = 100
export const VALIDATION_RULES_MAX = 10
/** Templates of a product's extensions, and attributes of one template. */
export const EXTENSIONS_MAX = 100
export const EXTENSION_FIELDS_MAX = 500
/** Entries of the largest map that clients write. */
export const MAP_ENTRIES_MAX = EXTENSION_FIELDS_MAX
/** Languages in which a record has texts. */
export const LOCALES_MAX = 200
/** Variations of a product, options over all of them, and price modifiers that one option names. */
export const VARIATIONS_MAX = 100
export const VARIATION_OPTIONS_MAX = 1000
export const OPTION_MODIFIERS_MAX = 100
/** Build rules that include, and as many that exclude. */
export const BUILD_RULES_MAX = 1000
/** Children of one parent, and combinations that its build rules may choose from. */
export const CHILDREN_MAX = 1000
export const COMBINATIONS_MAX = 100_000
/** Products that one call attaches to a node, or detaches. */
export const NODE_PRODUCTS_MAX = 100_000
/** Nodes that one product is attached to. */
export const NODES_OF_PRODUCT_MAX = 500
/** Products that are curated in one node. */
export const NODE_CURATED_MAX = 1000
/** What PostgreSQL's int4 holds: sort orders of nodes. */
export const INT4_MAX = 2_147_483_647
export const CATALOG_HIERARCHIES_MAX = 1000
/** Values of one criterion of a catalog rule, and its schedules. */
export const RULE_VALUES_MAX = 1000
export const RULE_SCHEDULES_MAX = 100
/** Product prices that one call upserts. */
export const PRICE_ROWS_MAX = 1000
/** Idempotency keys (write.idempotency-key). */
export const IDEMPOTENCY_KEY_MAX = 255
