/** By what names the Grow plan's product, meter and prices are found in Tessera's own Stripe account. */
export const GROW_PRODUCT_ID = 'tessera_grow';
export const BASE_LOOKUP_KEY = 'tessera_grow_base';
export const USAGE_LOOKUP_KEY = 'tessera_grow_usage';
export const METER_EVENT_NAME = 'tessera_api_calls';
