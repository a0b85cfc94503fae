/** What happened, in one or two sentences. */
import type { Event } from '#contracts/console/events';
import { HTTP_STATUS } from '#contracts/public/error-types';
import { namedFeatures } from '#engine/events/named-features';
import { formatNumber } from '#web/ui/format.ts';
import { denialPhrase, denialsOf } from '#web/values/denial-words.ts';
import { fieldOf } from '#web/values/event-fields.ts';
import { isAboutHold, placeLabel } from '#web/values/event-labels.ts';
import { DENIAL_LABELS } from '#web/values/verdict.tsx';
import { type HoldCall, holdCallOf } from './hold-call.ts';

/** @param subject the customer's name; null for an anonymous visitor */
export function eventSentence(event: Event, subject: string | null): string {
  if (event.type === 'se') {
    const about = subject === null ? '' : ` for ${subject}`;
    return `Stripe sent ${event.stripeEventType ?? 'an event'}${about}. It applies to all environments.`;
  }
  if (event.isError) {
    const message = fieldOf(event.response, 'message');
    const call = isAboutHold(event)
      ? 'call about a hold'
      : event.type === 'cu'
        ? 'counter update'
        : 'access check';
    const reason =
      typeof message === 'string' && message !== '' ? ` with “${message.replace(/\.$/, '')}”` : '';
    return `The ${call} ${isRefusal(event.response) ? 'was refused' : 'failed'}${reason}.`;
  }
  const place = placeLabel(event);
  const entity =
    fieldOf(event.request, 'entityId') ?? fieldOf(fieldOf(fieldOf(event.response, 'meter'), 'entity'), 'id');
  const member = subject !== null && typeof entity === 'string' ? ` (${entity})` : '';
  const who = `${subject ?? 'An anonymous visitor'}${member}${place === '' ? '' : ` in ${place},`}`;
  if (event.type !== 'cu') return checkSentence(event, who);
  const call = holdCallOf(event);
  return call === null ? updateSentence(event, who) : holdSentence(event, call, who);
}

/** What a check of all features calls those that it denies. In events of earlier releases, any value of theirs may be off. */
export function limitedLabel({ denials }: Pick<Event, 'denials'>): string {
  return denials === null ? 'Limited' : 'Not allowed';
}

/** The caller's own mistake, unlike an error of the server. */
function isRefusal(response: unknown): boolean {
  const type = fieldOf(response, 'errorType');
  const status = typeof type === 'string' ? fieldOf(HTTP_STATUS, type) : undefined;
  return typeof status === 'number' && status < 500;
}

function checkSentence(event: Event, who: string): string {
  const features = fieldOf(event.request, 'features');
  const consume = fieldOf(event.request, 'consume');
  const checked = Array.isArray(features)
    ? features.length === 1
      ? String(features[0])
      : `${features.length} features`
    : 'all features';
  const plans = event.detail.planSlugs;
  const having =
    plans.length === 0 ? ' and has no plan' : ` on the ${listed(plans)} plan${plans.length === 1 ? '' : 's'}`;
  const first = `${who} was checked for ${checked}${having}.`;
  if (typeof consume === 'object' && consume !== null) {
    const isAccepted = fieldOf(fieldOf(event.response, 'consumed'), 'accepted') === true;
    const amount = amountOf(consume);
    const why = denialsOf(event)?.find(({ feature }) => feature === fieldOf(consume, 'feature'));
    const refusal = why === undefined ? 'it was not accepted' : denialPhrase(why);
    const consumed = fieldOf(event.response, 'consumed');
    return `${first} ${isAccepted ? `Counted ${amount}${costSentence(consumed, ', which cost ')}.` : `Did not count ${amount}: ${refusal}.${unpaidSentence(consumed)}`}`;
  }
  const denied = event.outcome === 'denied' ? deniedWords(event) : missingWords(event);
  return `${first}${denied}${event.outcome === 'warning' ? ' The response has a warning.' : ''}`;
}

/** ' Denied: not in plan.'; of several features ' Denied. Limit reached: exports. Not in plan: sso.' */
function deniedWords(event: Event): string {
  const denials = denialsOf(event);
  if (denials === null) return ` Denied: ${listed(event.deniedFeatures)}.`;
  const [first] = denials;
  const isOne = namedFeatures(event.type, event.request).length === 1;
  return isOne && first !== undefined ? ` Denied: ${denialPhrase(first)}.` : ` Denied.${missingWords(event)}`;
}

/** What is not allowed, by reason: ' Not in plan: sso. Limit reached: exports.' */
function missingWords(event: Event): string {
  const denials = denialsOf(event);
  if (denials === null) {
    const denied = listed(event.deniedFeatures);
    return denied === '' ? '' : ` ${limitedLabel(event)}: ${denied}.`;
  }
  return [...Map.groupBy(denials, ({ cause }) => cause)]
    .map(([cause, some]) => ` ${DENIAL_LABELS[cause]}: ${listed(some.map(({ feature }) => feature))}.`)
    .join('');
}

function updateSentence(event: Event, who: string): string {
  const { request, response } = event;
  const now = usageSentence(response);
  if (fieldOf(response, 'accepted') === false) {
    const why = denialsOf(event)?.[0];
    const result =
      why === undefined
        ? 'It was not accepted, so nothing was counted'
        : `Nothing was counted: ${denialPhrase(why)}`;
    return `${who} tried to ${actionOf(request, INFINITIVES)}. ${result}.${why?.meter ? '' : now}${unpaidSentence(response)}`;
  }
  const action = returnedOf(request, fieldOf(response, 'applied')) ?? actionOf(request, PAST);
  return `${who} ${action}${costSentence(response, ', which cost ')}.${retrySentence(response)}${now}${deniedSentence(event)}`;
}

/** ', which cost 3 of ai.credits'; what is given back is said as well. */
function costSentence(counted: unknown, before: string): string {
  const costs = fieldOf(counted, 'costs');
  const applied = fieldOf(costs, 'applied');
  if (typeof applied !== 'number' || applied === 0) return '';
  const amount = `${formatNumber(Math.abs(applied))} of ${meterOf(costs)}`;
  return applied < 0 ? `, which gave back ${amount}` : before + amount;
}

/** ' 2 of ai.credits are left to pay for it.' */
function unpaidSentence(counted: unknown): string {
  const costs = fieldOf(counted, 'costs');
  if (fieldOf(costs, 'accepted') !== false) return '';
  const remaining = fieldOf(costs, 'remaining');
  const left = typeof remaining === 'number' ? formatNumber(remaining) : 'None';
  return ` ${left} of ${meterOf(costs)} ${remaining === 1 ? 'is' : 'are'} left to pay for it.`;
}

/** ' 2,150 of 10,000 used, 250 held.' What is on or off has no limit. */
function usageSentence(response: unknown): string {
  const meter = fieldOf(response, 'meter');
  const [used, held, limit] = ['used', 'held', 'limit'].map((name) => fieldOf(meter, name));
  if (typeof used !== 'number') return '';
  const of = typeof limit === 'number' ? ` of ${formatNumber(limit)}` : '';
  const beside = typeof held === 'number' && held > 0 ? `, ${formatNumber(held)} held` : '';
  return ` ${formatNumber(used)}${of} used${beside}.`;
}

const retrySentence = (response: unknown) =>
  fieldOf(response, 'replayed') === true ? ' This was a retry, so it was counted once.' : '';

/** Of usage that was accepted. */
function deniedSentence(event: Event): string {
  const [denial] = denialsOf(event) ?? [];
  if (denial === undefined) return '';
  return ` Counted although the feature is denied: ${denialPhrase({ ...denial, meter: null })}.`;
}

function holdSentence(event: Event, call: HoldCall, who: string): string {
  const { response } = event;
  const now = usageSentence(response);
  if (call.isAccepted)
    return `${who} ${heldWords(call)}${costSentence(response, call.kind === 'settle' ? ', which cost ' : ', and ')}.${retrySentence(response)}${now}${deniedSentence(event)}`;
  const why = denialsOf(event)?.[0];
  const refusal = why === undefined ? 'it was not accepted' : denialPhrase(why);
  const { kind, meter, asked, hold } = call;
  const amount = formatNumber(asked ?? 0);
  if (kind === 'open')
    return `${who} tried to hold ${amount} of ${meter}. Nothing was held: ${refusal}.${why?.meter ? '' : now}${unpaidSentence(response)}`;
  const of = hold === null ? '' : ` of ${formatNumber(hold.amount)}`;
  return kind === 'settle'
    ? `${who} tried to settle a hold${of} of ${meter} with ${amount}. That is more than it holds, so it stays open.${now}`
    : `${who} tried to add ${amount} to a hold${of} of ${meter}. It stays as it was: ${refusal}.${why?.meter ? '' : now}${unpaidSentence(response)}`;
}

/** 'settled a hold of 4,000 of ai.credits: 3,127 used, 873 released'. */
function heldWords({ kind, meter, asked, hold, settled }: HoldCall): string {
  const amount = formatNumber(hold?.amount ?? asked ?? 0);
  if (kind === 'open') {
    const isLess = hold !== null && asked !== null && hold.amount < asked;
    return `held ${amount} of ${meter}${isLess ? `, of ${formatNumber(asked)} requested` : ''}`;
  }
  if (kind === 'extend')
    return asked
      ? `added ${formatNumber(asked)} to a hold of ${meter}: ${amount} in all`
      : `kept a hold of ${amount} of ${meter} open for longer`;
  const { applied, released, overage } = settled ?? { applied: asked ?? 0, released: 0, overage: 0 };
  if (applied === 0) return `released a hold of ${amount} of ${meter}`;
  const parts = [
    `${formatNumber(applied)} used`,
    released > 0 && `${formatNumber(released)} released`,
    overage > 0 && `${formatNumber(overage)} beyond the limit`,
  ].filter((part) => part !== false);
  return `settled a hold of ${amount} of ${meter}: ${parts.join(', ')}`;
}

/** 'returned 3 of exports.rows, of 50 requested' if less was in use than the request returns; else null. */
function returnedOf(count: unknown, applied: unknown): string | null {
  const by = fieldOf(count, 'by');
  if (typeof by !== 'number' || typeof applied !== 'number' || by >= 0 || applied <= by) return null;
  return `${PAST.giveBack} ${amountOf({ ...Object(count), by: applied })}, of ${formatNumber(-by)} requested`;
}

const INFINITIVES = { add: 'add', release: 'release', use: 'use', giveBack: 'return' };
const PAST: typeof INFINITIVES = { add: 'added', release: 'released', use: 'used', giveBack: 'returned' };

/** 'added ada to team.seats', 'used 3 of exports.rows'. */
function actionOf(count: unknown, verbs: typeof INFINITIVES): string {
  const resource = fieldOf(count, 'resourceId');
  if (typeof resource === 'string') {
    return fieldOf(count, 'release') === true
      ? `${verbs.release} ${resource} from ${meterOf(count)}`
      : `${verbs.add} ${resource} to ${meterOf(count)}`;
  }
  const by = fieldOf(count, 'by');
  return `${typeof by === 'number' && by < 0 ? verbs.giveBack : verbs.use} ${amountOf(count)}`;
}

function amountOf(count: unknown): string {
  const resource = fieldOf(count, 'resourceId');
  if (typeof resource === 'string') return `${resource} in ${meterOf(count)}`;
  const by = fieldOf(count, 'by');
  return `${formatNumber(typeof by === 'number' ? Math.abs(by) : 1)} of ${meterOf(count)}`;
}

const meterOf = (count: unknown) => `${text(fieldOf(count, 'feature'))}.${text(fieldOf(count, 'property'))}`;

/** The slugs of the features that were checked or counted; of a check that names none, those of its response. */
export function featuresOf({ request, response }: Pick<Event, 'request' | 'response'>): string[] {
  const named = fieldOf(request, 'features') ?? fieldOf(request, 'feature');
  const listed: unknown[] = Array.isArray(named) ? named : typeof named === 'string' ? [named] : [];
  const answered = fieldOf(response, 'features');
  const slugs =
    listed.length > 0 ? listed : Object.keys(typeof answered === 'object' ? (answered ?? {}) : {});
  return [...new Set(slugs.filter((slug) => typeof slug === 'string'))];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** 'a', 'a and b', 'a, b and 3 more'. */
function listed(words: readonly string[]): string {
  const [first = '', second] = words;
  if (second === undefined) return first;
  return words.length === 2 ? `${first} and ${second}` : `${first}, ${second} and ${words.length - 2} more`;
}
