// Disputes: https://docs.stripe.com/api/disputes. As in Stripe's test mode, evidence with the text `winning_evidence` or
// `losing_evidence` closes one; the control API does, too.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import { closeDispute, saveDispute, showDispute } from './dispute-changes.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';

export function updateDispute(context: Context, params: Params, id: string): Stripe.Dispute {
  const record = getRecord(context, 'dispute', id);
  params.accept('intended_submission_method');
  const evidence = params.object('evidence');
  const text = evidence?.text('uncategorized_text') ?? record.evidence;
  const isSubmitted = params.boolean('submit') ?? true;
  if (evidence !== undefined && record.status !== 'needs_response') {
    throw invalidRequest('This dispute is already closed, or its evidence was submitted.', {
      param: 'evidence',
    });
  }
  const changed = saveDispute(
    context,
    {
      ...record,
      evidence: text,
      metadata: params.metadata(record.metadata),
      ...(evidence !== undefined && isSubmitted ? { status: 'under_review' as const } : {}),
    },
    'charge.dispute.updated',
  );
  if (!isSubmitted || evidence === undefined) return showDispute(context, changed);
  if (text === 'winning_evidence') return showDispute(context, closeDispute(context, changed, 'won'));
  if (text === 'losing_evidence') return showDispute(context, closeDispute(context, changed, 'lost'));
  return showDispute(context, changed);
}

/** Accepts the dispute: it is lost. */
export function closeById(context: Context, id: string): Stripe.Dispute {
  return showDispute(context, closeDispute(context, getRecord(context, 'dispute', id), 'lost'));
}

export function listDisputes(context: Context, params: Params): List<Stripe.Dispute> {
  const intent = params.text('payment_intent');
  return listPage(context, params, {
    kind: 'dispute',
    url: '/v1/disputes',
    filters: {
      created: readCreated(params),
      parent: params.text('charge'),
      keys: intent === undefined ? undefined : [intent],
    },
    show: (record) => showDispute(context, record),
  });
}
