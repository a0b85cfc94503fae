/**
 * Writes the `features` of a response as JSON text, without building objects first. Text that does not depend on meter
 * readings is cached per plan set; without meters, every check shares it.
 */
import type { NearLimit } from '#contracts/internal/event-batch';
import type { MeterableValue } from '#contracts/public/values';
import type { Denial } from '#contracts/public/verdict';
import { nextChangeOf } from '../balances/drawing-order.ts';
import { paidBy } from '../metering/cost-answer.ts';
import { NEAR_LIMIT } from '../metering/near-limit.ts';
import {
  billingReset,
  heldOf,
  type MeterAnswer,
  type MeterReading,
  quotaHeldIn,
  quotaTakenOf,
  takenIn,
  trailingReset,
  usedOf,
} from '../metering/read-meter.ts';
import { entityKey } from '../metering/reading-key.ts';
import { windowOf } from '../metering/window-of.ts';
import { costIn } from './cost-in.ts';
import type {
  Choice,
  MeterText,
  PreparedArtifact,
  PreparedFeature,
  PreparedProperty,
} from './prepared-artifact.ts';
import { costOf } from './read-cost.ts';
import { readOwnMeter, rolledOf } from './read-own-meter.ts';
import type { Hole, Resolution, Template, VerdictGap } from './resolution.ts';
import { resolvedValue } from './resolve.ts';
import { featureTemplate, wholeTemplate } from './template.ts';
import { type CountedMeter, denialReason, limitOwner, tallyMeter, verdictText } from './verdict.ts';

/** The longest validity of an answer. */
export const MAX_VALIDITY_MS = 60_000;

/** By property id. A property without a reading has no usage. */
export type Readings = ReadonlyMap<string, MeterReading>;

export interface RenderedFeatures {
  /** `{ "<slug>": { "properties": { "<key>": value }, "allowed": true } }` */
  json: string;
  /** The next reset of a meter in the answer, and at most MAX_VALIDITY_MS from now. */
  validUntil: number;
  /** The next reset of a meter in the answer; infinity if none resets. Until then the text stays the same. */
  resetsAt: number;
  /** Requested slugs that the artifact does not have. */
  unknownFeatures: readonly string[];
  /** The features that are not allowed. */
  denied: readonly Denial[];
  /** Meters that are near their limit or beyond it. */
  nearLimits: readonly NearLimit[];
}

const NONE: readonly never[] = [];

/** What a call did or asked for that its answer says. */
export interface SaidBeside {
  /** What it counted; null: nothing. */
  readonly counted: CountedMeter | null;
  /** Whether meters of which the customer has balances list what usage is taken from. */
  readonly isListed: boolean;
  /** The customer's entity that the call names; absent: none, or nothing limits entities. */
  readonly entity?: string | undefined;
}

export const NOTHING_BESIDE: SaidBeside = { counted: null, isListed: false };

/**
 * Renders all features, or those of `onlyFeatures` in the artifact's order. `readings` is null if nothing is counted: for an
 * anonymous subject, or without a ledger.
 */
export function renderFeatures(
  resolution: Resolution,
  readings: Readings | null,
  now: number,
  onlyFeatures?: ReadonlySet<string>,
  beside = NOTHING_BESIDE,
): RenderedFeatures {
  if (onlyFeatures !== undefined) return renderSome(resolution, readings, now, onlyFeatures, beside);
  const template = wholeTemplate(resolution);
  const [first = ''] = template.segments;
  if (template.gaps.length === 0) {
    const { denied } = template;
    const resetsAt = Number.POSITIVE_INFINITY;
    return {
      json: first,
      validUntil: validUntil(now, resetsAt),
      resetsAt,
      unknownFeatures: NONE,
      denied,
      nearLimits: NONE,
    };
  }

  const isIdle = readings === null && !beside.isListed && beside.entity === undefined;
  const idle = isIdle ? resolution.made.idle : null;
  if (idle !== null && idle.from <= now && now < idle.until) {
    return {
      json: idle.text,
      validUntil: validUntil(now, idle.until),
      resetsAt: idle.until,
      unknownFeatures: NONE,
      denied: idle.denied,
      nearLimits: NONE,
    };
  }
  const writer = new TemplateWriter(resolution, readings, now, beside);
  const json = writer.write(template);
  const { denied, nearLimits, earliestReset } = writer;
  if (isIdle) resolution.made.idle = { text: json, denied, from: now, until: earliestReset };
  return {
    json,
    validUntil: validUntil(now, earliestReset),
    resetsAt: earliestReset,
    unknownFeatures: NONE,
    denied,
    nearLimits,
  };
}

function validUntil(now: number, resetsAt: number): number {
  return Math.min(now + MAX_VALIDITY_MS, resetsAt);
}

/** The meterable properties of an answer. */
export function holesOf(resolution: Resolution, onlyFeatures?: ReadonlySet<string>): readonly Hole[] {
  if (onlyFeatures === undefined) return wholeTemplate(resolution).holes;
  return chosenFeatures(resolution.prepared, onlyFeatures).features.flatMap(
    (feature) => featureTemplate(resolution, feature).holes,
  );
}

/** The requested features in the artifact's order, and the unknown slugs. */
export function chosenFeatures(
  { featureBySlug }: PreparedArtifact,
  onlyFeatures: ReadonlySet<string>,
): { features: PreparedFeature[]; unknownFeatures: string[] } {
  const features: PreparedFeature[] = [];
  const unknownFeatures: string[] = [];
  for (const slug of onlyFeatures) {
    const feature = featureBySlug.get(slug);
    if (feature === undefined) unknownFeatures.push(slug);
    else features.push(feature);
  }
  features.sort((one, other) => one.index - other.index);
  return { features, unknownFeatures };
}

function renderSome(
  resolution: Resolution,
  readings: Readings | null,
  now: number,
  onlyFeatures: ReadonlySet<string>,
  beside: SaidBeside,
): RenderedFeatures {
  const { features, unknownFeatures } = chosenFeatures(resolution.prepared, onlyFeatures);
  const writer = new TemplateWriter(resolution, readings, now, beside);
  const members = features.map((feature) => writer.write(featureTemplate(resolution, feature)));
  const { earliestReset, denied, nearLimits } = writer;
  const json = `{${members.join()}}`;
  return {
    json,
    validUntil: validUntil(now, earliestReset),
    resetsAt: earliestReset,
    unknownFeatures,
    denied,
    nearLimits,
  };
}

/** Of a value that is on or off. */
function unlimitedText({ text }: Choice, reading: MeterReading | undefined): string {
  const closed = text as string;
  return reading === undefined
    ? closed
    : `${closed.slice(0, -1)},"used":${usedOf(reading)}${heldText(heldOf(reading))}}`;
}

function heldText(held: number): string {
  return held === 0 ? '' : `,"held":${held}`;
}

class TemplateWriter {
  readonly #resolution: Resolution;
  readonly #readings: Readings | null;
  readonly #now: number;
  readonly #counted: CountedMeter | null;
  readonly #isListed: boolean;
  readonly #entity: string | undefined;
  /** Of the meters of the feature that is being written: a MeterTally. */
  open = 0;
  usedUp = 0;
  byEntity = 0;
  withEntity = 0;
  unseated = 0;
  /** The earliest reset of the meters written so far; infinity if none resets. */
  earliestReset = Number.POSITIVE_INFINITY;
  denied: readonly Denial[] = NONE;
  nearLimits: readonly NearLimit[] = NONE;

  constructor(
    resolution: Resolution,
    readings: Readings | null,
    now: number,
    { counted, isListed, entity }: SaidBeside,
  ) {
    this.#resolution = resolution;
    this.#isListed = isListed;
    this.#entity = entity;
    this.#readings = readings;
    this.#now = now;
    this.#counted = counted;
  }

  write({ segments, gaps, denied }: Template): string {
    if (denied.length > 0) this.denied = this.denied.length === 0 ? denied : this.denied.concat(denied);
    let text = segments[0] ?? '';
    for (let place = 0; place < gaps.length; place++) {
      const gap = gaps[place] as Hole | VerdictGap;
      text += gap.choice === null ? this.#verdict(gap) : this.#answer(gap);
      text += segments[place + 1] as string;
    }
    return text;
  }

  #verdict({ slug, isOn }: VerdictGap): string {
    const counted = this.#counted?.feature === slug ? this.#counted : null;
    const reason = denialReason(isOn, this, counted);
    const text = verdictText(reason, limitOwner(reason, isOn, this, counted));
    this.open = 0;
    this.usedUp = 0;
    this.byEntity = 0;
    this.withEntity = 0;
    this.unseated = 0;
    if (reason !== null) this.denied = [...this.denied, { feature: slug, reason }];
    return text;
  }

  /** Equal to the JSON of readMeter. */
  #answer(hole: Hole): string {
    const { property, choice } = hole;
    if (property.cost !== null || choice.isPerEntity) return this.#answerWith(hole);
    const reading = this.#readings?.get(property.property.id);
    const { meter } = choice;
    if (meter === null) {
      if (typeof choice.value === 'object' && choice.value.state === 'on') this.open += 1;
      return unlimitedText(choice, reading);
    }
    const isMore = reading?.rolled !== undefined || meter.meter.overage !== undefined;
    if (isMore || this.#resolution.balances?.has(property.index)) return this.#answerWith(hole);
    const taken = quotaTakenOf(reading);
    const held = reading?.held === undefined ? 0 : quotaHeldIn(reading);
    const { limit } = meter.meter;
    const resetsAt = this.#resetsAt(meter, reading);
    if (resetsAt !== null && resetsAt < this.earliestReset) this.earliestReset = resetsAt;
    if (held > 0) this.#endHold(reading);
    if (taken < limit) this.open += 1;
    else this.usedUp += 1;
    if (taken > 0 && taken >= limit * NEAR_LIMIT) this.#approach(property, taken, limit);
    const remaining = Math.max(0, limit - taken);
    return `{"state":"metered","allowed":${taken < limit}${meter.middle}${taken - held}${heldText(held)},"remaining":${remaining}${meter.end}${resetsAt}}`;
  }

  /** Of a meter with balances, overage or a limit of each entity, or of which each one costs something. */
  #answerWith({ property, choice }: Hole): string {
    const value = choice.value as MeterableValue;
    const cost = costIn(this.#resolution, property);
    let answer = this.#read(property, value, this.#isListed);
    if (cost !== null) {
      const paying = resolvedValue(this.#resolution, cost.payer) as MeterableValue;
      answer = paidBy(answer, costOf(cost, this.#read(cost.payer, paying, false)));
    }
    tallyMeter(this, answer);
    if (answer.state === 'metered' && value.state === 'metered') {
      const taken = takenIn(answer);
      if (taken > 0 && taken >= answer.limit * NEAR_LIMIT) this.#approach(property, taken, answer.limit);
    }
    return JSON.stringify(answer);
  }

  /** The answer changes when a meter resets, a hold ends, or a balance begins or ends. */
  #read(property: PreparedProperty, value: MeterableValue, isListed: boolean): MeterAnswer {
    const [own, now, id] = [this.#resolution, this.#now, this.#entity];
    const reading = this.#readings?.get(property.property.id);
    const each = this.#readings?.get(entityKey(property.property.id));
    const entity = id === undefined ? null : { id, reading: each };
    const answer = readOwnMeter(own, property, value, reading, { now, isListed, entity });
    if (entity !== null) this.#endHold(each);
    if (value.state === 'metered') {
      this.#endHold(reading);
      const balances = own.balances?.get(property.index);
      if (balances !== undefined || reading?.rolled !== undefined) {
        const changing = [...(balances ?? NONE), ...rolledOf(value, reading)];
        this.earliestReset = Math.min(this.earliestReset, nextChangeOf(changing, now));
      }
    }
    if (answer.state === 'metered') {
      const { resetsAt, entity: its } = answer;
      this.earliestReset = Math.min(this.earliestReset, resetsAt ?? Infinity, its?.resetsAt ?? Infinity);
    }
    return answer;
  }

  /** What is held may be free again once its first hold ends. */
  #endHold(reading: MeterReading | undefined): void {
    const until = reading?.held?.until ?? Number.POSITIVE_INFINITY;
    if (until < this.earliestReset) this.earliestReset = until;
  }

  #approach({ feature: { slug }, property: { key } }: PreparedProperty, used: number, limit: number): void {
    this.nearLimits = [...this.nearLimits, { feature: slug, property: key, used, limit }];
  }

  /** Meters reset rarely and are read often, so a recurring window is computed once and cached until it ends. */
  #resetsAt({ meter, window }: MeterText, reading: MeterReading | undefined): number | null {
    if (meter.periodType === 'lifetime') return null;
    if (meter.periodType === 'fixed') return trailingReset(reading, this.#now);
    if (meter.periodType === 'billing') return billingReset(meter, reading, this.#now);
    if (this.#now < window.startsAt || this.#now >= window.resetsAt) {
      const { startsAt, resetsAt } = windowOf(meter, this.#now);
      window.startsAt = startsAt;
      window.resetsAt = resetsAt ?? startsAt;
    }
    return window.resetsAt;
  }
}
