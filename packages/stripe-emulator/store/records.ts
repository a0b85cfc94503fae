// Stored form of each object: the variable fields of Stripe's types, with ids instead of expanded objects. Constant fields are
// added when an object is rendered (`resources`).
import type Stripe from 'stripe';
import type {
  CouponRecord,
  CouponTerms,
  DiscountAmount,
  DiscountRecord,
  PromotionCodeRecord,
} from './discount-records.ts';
import type {
  ChargeRecord,
  CreditNoteRecord,
  DisputeRecord,
  PaymentIntentRecord,
  PaymentMethodRecord,
  RefundRecord,
} from './payment-records.ts';

type Kept<Shape, Names extends keyof Shape> = { [Name in Names]: Exclude<Shape[Name], undefined> };

export type CustomerRecord = Kept<
  Stripe.Customer,
  'id' | 'created' | 'email' | 'description' | 'metadata' | 'balance'
> & {
  name: string | null;
  phone: string | null;
  address: Stripe.Address | null;
  currency: string | null;
  delinquent: boolean;
  /** Id of the test clock; absent for most customers. */
  test_clock?: string | null;
  deleted: boolean;
  default_payment_method: string | null;
  preferred_locales: string[];
  tax_exempt: string;
  /** Sequence of the next invoice number. */
  next_invoice_sequence: number;
};

export type ProductRecord = Kept<
  Stripe.Product,
  'id' | 'created' | 'active' | 'name' | 'description' | 'metadata' | 'images' | 'updated' | 'url'
> & {
  default_price: string | null;
  statement_descriptor: string | null;
  tax_code: string | null;
  unit_label: string | null;
  marketing_features: { name?: string }[];
  shippable: boolean | null;
};

/** Amounts are strings, as on the wire, so that fractions of a minor unit stay exact. */
export interface TierRecord {
  flat_amount: number | null;
  unit_amount_decimal: string | null;
  up_to: number | null;
}

export type PriceRecord = Kept<
  Stripe.Price,
  | 'id'
  | 'created'
  | 'active'
  | 'billing_scheme'
  | 'currency'
  | 'lookup_key'
  | 'metadata'
  | 'nickname'
  | 'recurring'
  | 'tax_behavior'
  | 'tiers_mode'
  | 'type'
> & { product: string; tiers: TierRecord[] | null; unit_amount_decimal: string | null };

export interface SubscriptionItemRecord {
  id: string;
  created: number;
  metadata: Record<string, string>;
  price: string;
  /** Undefined for a metered price. */
  quantity?: number;
  /** Unix seconds; absent while all items have the subscription's period. */
  period?: { start: number; end: number };
}

export type SubscriptionRecord = Kept<
  Stripe.Subscription,
  | 'id'
  | 'created'
  | 'billing_cycle_anchor'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'cancellation_details'
  | 'collection_method'
  | 'currency'
  | 'days_until_due'
  | 'description'
  | 'ended_at'
  | 'metadata'
  | 'start_date'
  | 'status'
  | 'trial_end'
  | 'trial_start'
  | 'pause_collection'
> & {
  customer: string;
  items: SubscriptionItemRecord[];
  current_period_start: number;
  current_period_end: number;
  default_payment_method: string | null;
  latest_invoice: string | null;
  /** The customer's test clock, if any. */
  test_clock?: string | null;
  trial_end_behaviour: 'cancel' | 'create_invoice' | 'pause';
  /** Absent: classic. */
  billing_mode?: { type: 'classic' | 'flexible'; updated_at: number };
  /** Renewals charge the card. Absent: they are always paid, as for seeded subscriptions. */
  chargesCard?: true;
  /** When the latest invoice is charged again, or is overdue if it was sent; Unix seconds. */
  retry_at?: number | null;
  isTrialEndAnnounced?: true;
  /** While it is paused: since when, and why. */
  paused?: { at: number; reason: 'pause_requested' | 'trial_end_without_payment_method' } | null;
  /** The schedule that changes it. */
  schedule?: string | null;
  /** Whether tax is calculated automatically; absent: it is not. */
  automatic_tax?: boolean;
  /** Ids of the discounts of its next invoices; absent: none. */
  discounts?: string[];
  /** It is incomplete while a bank processes its first payment, and does not expire meanwhile. */
  isPaymentProcessing?: true;
};

/** A phase of a schedule; times in Unix seconds. */
export interface PhaseRecord {
  items: { price: string; quantity?: number; metadata: Record<string, string> }[];
  start_date: number;
  end_date: number;
  trial_end: number | null;
  proration_behavior: 'always_invoice' | 'create_prorations' | 'none';
  metadata: Record<string, string>;
}

export interface ScheduleRecord {
  id: string;
  created: number;
  customer: string;
  metadata: Record<string, string>;
  phases: PhaseRecord[];
  /** Index of the phase that applies. */
  phase: number;
  end_behavior: 'cancel' | 'release';
  status: 'active' | 'canceled' | 'completed' | 'not_started' | 'released';
  subscription: string | null;
  released_subscription: string | null;
  canceled_at: number | null;
  completed_at: number | null;
  released_at: number | null;
  billing_mode: 'classic' | 'flexible';
  test_clock?: string | null;
}

export type WebhookEndpointRecord = Kept<
  Stripe.WebhookEndpoint,
  'id' | 'created' | 'api_version' | 'description' | 'enabled_events' | 'metadata' | 'status' | 'url'
> & { secret: string };

/** An event is stored whole, as rendered when it happened. */
export interface EventRecord {
  id: string;
  created: number;
  type: string;
  api_version: string;
  request: { id: string | null; idempotency_key: string | null } | null;
  object: Readonly<Record<string, unknown>>;
  previous_attributes: Readonly<Record<string, unknown>> | null;
}

export interface CheckoutLine {
  id: string;
  price: string;
  /** Undefined for a metered price. */
  quantity?: number;
}

/** A coupon that a checkout will apply. */
export interface CheckoutDiscount {
  coupon: string;
  promotion_code: string | null;
  terms: CouponTerms;
}

/** Parameters of a checkout's payment. */
export interface CheckoutPayment {
  description: string | null;
  metadata: Record<string, string>;
  receipt_email: string | null;
  setup_future_usage: 'off_session' | 'on_session' | null;
}

export type CheckoutSessionRecord = Kept<
  Stripe.Checkout.Session,
  | 'id'
  | 'created'
  | 'allow_promotion_codes'
  | 'billing_address_collection'
  | 'cancel_url'
  | 'client_reference_id'
  | 'currency'
  | 'customer_email'
  | 'expires_at'
  | 'locale'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'success_url'
> & {
  /** Absent: false. */
  automatic_tax?: boolean;
  metadata: Record<string, string>;
  customer: string | null;
  subscription: string | null;
  invoice: string | null;
  lines: CheckoutLine[];
  subscription_metadata: Record<string, string>;
  subscription_description: string | null;
  trial_period_days: number | null;
  customer_name: string | null;
  paid_email: string | null;
  /** Absent: none. */
  discounts?: CheckoutDiscount[];
  /** Mode `payment`; absent in others. */
  payment?: CheckoutPayment;
  payment_intent?: string | null;
  /** Those that the page offers; absent: cards. */
  payment_method_types?: string[];
  allowed_payment_method_types?: string[];
  excluded_payment_method_types?: string[];
  /** Without an amount, no payment method is collected. Absent: it always is. */
  payment_method_collection?: 'always' | 'if_required';
  /** Mode `payment`: whether an anonymous payer becomes a customer. */
  customer_creation?: 'always' | 'if_required';
  /** Mode `payment`: whether it makes an invoice; absent: no. */
  createsInvoice?: true;
};

export interface PortalSessionRecord {
  id: string;
  created: number;
  configuration: string;
  customer: string;
  locale: string | null;
  return_url: string | null;
  /** Last segment of its page's URL. */
  page: string;
}

export type PortalConfigurationRecord = Omit<
  Stripe.BillingPortal.Configuration,
  'object' | 'application' | 'livemode' | 'login_page' | 'metadata'
> & { metadata: Record<string, string> };

export type MeterRecord = Omit<Stripe.Billing.Meter, 'object' | 'livemode'>;

export interface MeterEventRecord {
  /** The identifier. */
  id: string;
  created: number;
  event_name: string;
  customer: string;
  payload: Record<string, string>;
  timestamp: number;
  value: number;
}

export interface InvoiceLineRecord {
  id: string;
  /** Before discounts. */
  amount: number;
  description: string;
  /** Null: an invoice item with an amount of its own. */
  price: string | null;
  quantity: number | null;
  /** Null: a line of an invoice item, or of a checkout. */
  subscription_item: string | null;
  invoice_item?: string;
  metadata?: Record<string, string>;
  /** Default: the invoice's period. */
  period?: { start: number; end: number };
  /** False: discounts do not apply. */
  discountable?: boolean;
  discount_amounts?: DiscountAmount[];
}

export type InvoiceRecord = Kept<
  Stripe.Invoice,
  | 'id'
  | 'created'
  | 'attempt_count'
  | 'billing_reason'
  | 'collection_method'
  | 'currency'
  | 'number'
  | 'period_end'
  | 'period_start'
  | 'status_transitions'
> & {
  customer: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  /** Null: a one-off invoice. */
  subscription: string | null;
  lines: InvoiceLineRecord[];
  /** After discounts. */
  total: number;
  /** Unix seconds. */
  due_date?: number | null;
  next_payment_attempt?: number | null;
  /** Ids; absent: none. */
  discounts?: string[];
  description?: string | null;
  metadata?: Record<string, string>;
  /** One-off invoices: whether Stripe finalizes the draft and charges it. Absent: while the invoice is open. */
  auto_advance?: boolean;
  /** Unix seconds; one-off drafts with `auto_advance`. */
  automatically_finalizes_at?: number | null;
  default_payment_method?: string | null;
  days_until_due?: number | null;
  /** What pays it; absent before it is finalized, and without an amount. */
  payment_intent?: string;
  /** What credit notes have given back, in minor units; absent: nothing. */
  credited?: number;
  /** Of a one-off invoice: its customer's clock, if any, which finalizes it. */
  test_clock?: string;
};

/** A line of a customer's next invoice. */
export interface InvoiceItemRecord {
  id: string;
  created: number;
  amount: number;
  currency: string;
  customer: string;
  description: string | null;
  discountable: boolean;
  /** Null: it waits for an invoice. */
  invoice: string | null;
  metadata: Record<string, string>;
  period: { start: number; end: number };
  price: string | null;
  quantity: number;
}

export interface TestClockRecord {
  id: string;
  created: number;
  /** Unix seconds, as are the other times. */
  deletes_after: number;
  frozen_time: number;
  name: string | null;
  status: 'advancing' | 'ready';
  /** Where it advances to; null while it is ready. */
  target_frozen_time: number | null;
}

/** A meter event that turned out to be invalid, until it is reported. */
export interface MeterEventErrorRecord {
  id: string;
  created: number;
  meter: string;
  code: string;
  message: string;
  identifier: string;
}

/** An event of Stripe's API v2: it names an object and does not contain it. */
export interface ThinEventRecord {
  id: string;
  created: number;
  type: string;
  related_object: { id: string; type: string; url: string };
  data: Readonly<Record<string, unknown>>;
}

/** All stored kinds of objects. */
export interface Records {
  customer: CustomerRecord;
  product: ProductRecord;
  price: PriceRecord;
  subscription: SubscriptionRecord;
  subscription_schedule: ScheduleRecord;
  webhook_endpoint: WebhookEndpointRecord;
  event: EventRecord;
  'checkout.session': CheckoutSessionRecord;
  'billing_portal.session': PortalSessionRecord;
  'billing_portal.configuration': PortalConfigurationRecord;
  'billing.meter': MeterRecord;
  'billing.meter_event': MeterEventRecord;
  invoice: InvoiceRecord;
  invoiceitem: InvoiceItemRecord;
  coupon: CouponRecord;
  promotion_code: PromotionCodeRecord;
  discount: DiscountRecord;
  payment_intent: PaymentIntentRecord;
  charge: ChargeRecord;
  refund: RefundRecord;
  dispute: DisputeRecord;
  credit_note: CreditNoteRecord;
  'test_helpers.test_clock': TestClockRecord;
  payment_method: PaymentMethodRecord;
  'billing.meter_error': MeterEventErrorRecord;
  'v2.core.event': ThinEventRecord;
}

export type Kind = keyof Records;
