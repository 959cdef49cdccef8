-- Makes of the store of data.sql one to search and to sort: names of words, three tags each, prices in no order. Run before publishing.
CREATE FUNCTION pg_temp.word(words text[], number bigint) RETURNS text IMMUTABLE LANGUAGE sql AS
$$SELECT words[number % 20 + 1]$$;

WITH numbered AS (SELECT id, substr(slug, 9)::bigint AS number FROM product),
worded AS (SELECT id, number,
  pg_temp.word('{modern,rustic,slim,wide,bright,quiet,sturdy,folding,curved,hidden,woven,painted,polished,carved,round,narrow,tall,heavy,compact,vintage}',
    number) AS style,
  pg_temp.word('{oak,walnut,cherry,maple,birch,bamboo,steel,copper,brass,marble,glass,linen,cotton,wool,leather,velvet,rattan,cork,slate,granite}',
    number * 7919 / 64) AS material,
  pg_temp.word('{table,chair,lamp,shelf,bench,stool,mirror,vase,bowl,basket,tray,clock,rug,curtain,pillow,blanket,ladder,drawer,cabinet,desk}',
    number * 104729 / 1024) AS kind
  FROM numbered)
UPDATE product SET tags = ARRAY[style, material, kind], name = initcap(style || ' ' || material || ' ' || kind) || ' ' || number,
  description = 'A ' || style || ' ' || kind || ' of ' || material || ', number ' || number || ', made with care for those who asked for it.'
FROM worded WHERE worded.id = product.id;

-- Each amount once among 100,000 products, since 7919 and 100,000 have no common factor.
CREATE FUNCTION pg_temp.amounts(number bigint, add int) RETURNS jsonb IMMUTABLE LANGUAGE sql AS
$$SELECT jsonb_build_object(
  'USD', jsonb_build_object('amount', number * 7919 % 100000 + 500 + add, 'includes_tax', false),
  'EUR', jsonb_build_object('amount', number * 7919 % 100000 + 400 + add, 'includes_tax', true),
  'GBP', jsonb_build_object('amount', number * 7919 % 100000 + 300 + add, 'includes_tax', true))$$;
UPDATE product_price SET currencies = pg_temp.amounts(substr(sku, 5)::bigint, 500);
UPDATE sale SET currencies = pg_temp.amounts(substr(sku, 5)::bigint, 0) FROM product_price WHERE product_price.id = product_price_id;
