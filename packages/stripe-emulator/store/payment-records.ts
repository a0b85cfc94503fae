// Stored form of payment methods, payments, and what takes the money back. Amounts are in minor units, times in Unix seconds.

/** Bank debits: Stripe learns after days whether they succeed. */
export type DelayedMethod = 'bacs_debit' | 'sepa_debit' | 'us_bank_account';

export interface PaymentMethodRecord {
  id: string;
  created: number;
  /** Null: of a payment without a customer. */
  customer: string | null;
  /** Absent: a card. */
  type?: DelayedMethod;
  /** Of a card; empty for a bank account. */
  brand: string;
  last4: string;
  /** Whether charges of it fail. */
  isDeclined: boolean;
  /** Whether a charge of it is disputed at once. */
  isDisputed?: true;
}

export interface PaymentIntentRecord {
  id: string;
  created: number;
  amount: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  /** Last part of the client secret. */
  secret: string;
  currency: string;
  customer: string | null;
  description: string | null;
  /** Why the last attempt failed. */
  failure: { code: string; message: string; charge: string; payment_method: string | null } | null;
  latest_charge: string | null;
  metadata: Record<string, string>;
  payment_method: string | null;
  payment_method_types: string[];
  receipt_email: string | null;
  setup_future_usage: 'off_session' | 'on_session' | null;
  status: 'canceled' | 'processing' | 'requires_confirmation' | 'requires_payment_method' | 'succeeded';
  /** The invoice that it pays; null: none. */
  invoice: string | null;
}

export interface ChargeRecord {
  id: string;
  created: number;
  amount: number;
  amount_refunded: number;
  /** Null until it has succeeded. */
  balance_transaction: string | null;
  currency: string;
  customer: string | null;
  description: string | null;
  /** Null: never disputed. */
  dispute: string | null;
  email: string | null;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Record<string, string>;
  name: string | null;
  payment_intent: string;
  payment_method: string | null;
  receipt_email: string | null;
  status: 'failed' | 'pending' | 'succeeded';
}

export interface RefundRecord {
  id: string;
  created: number;
  amount: number;
  balance_transaction: string | null;
  charge: string;
  currency: string;
  failure_reason: string | null;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  /** The bank's reference; null: it is not known yet. */
  reference: string | null;
  status: 'failed' | 'pending' | 'succeeded';
}

export interface DisputeRecord {
  id: string;
  created: number;
  amount: number;
  charge: string;
  currency: string;
  evidence: string | null;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string;
  status: 'lost' | 'needs_response' | 'under_review' | 'won';
  /** Money that was withdrawn and reinstated. */
  transactions: { id: string; amount: number; fee: number; created: number }[];
}

export interface CreditNoteLine {
  id: string;
  amount: number;
  description: string;
  /** Null: a line of its own. */
  invoice_line_item: string | null;
  quantity: number | null;
  unit_amount: number | null;
}

/** Of a paid invoice. */
export interface CreditNoteRecord {
  id: string;
  created: number;
  amount: number;
  currency: string;
  customer: string;
  invoice: string;
  lines: CreditNoteLine[];
  memo: string | null;
  metadata: Record<string, string>;
  number: string;
  out_of_band_amount: number | null;
  reason: 'duplicate' | 'fraudulent' | 'order_change' | 'product_unsatisfactory' | null;
  refunds: { id: string; amount: number }[];
}
