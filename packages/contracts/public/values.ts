/**
 * The typed values of feature properties, on the wire and in artifacts.
 * Shapes only: engine/values decides whether a value fits its property's bounds.
 */
import { z } from 'zod';
import { planCostsSchema } from './costs.ts';
import { PERIOD_TYPE } from './field-sentences.ts';
import { type Overage, overageSchema } from './overage.ts';
import { type Rollover, rolloverSchema } from './rollover.ts';

export const propertyTypeSchema = z.enum(['number', 'boolean', 'string', 'meterable']);
export type PropertyType = z.infer<typeof propertyTypeSchema>;

/** Which value applies where several of a customer's plans set a property: one of them, or their sum (numbers and meters only). */
export const conflictResolutionSchema = z.enum(['higher', 'lower', 'sum']);
export type ConflictResolution = z.infer<typeof conflictResolutionSchema>;

export const periodTypeSchema = z.enum(['fixed', 'rolling', 'lifetime', 'billing']);
export type PeriodType = z.infer<typeof periodTypeSchema>;

export const periodLengthSchema = z.enum(['hour', 'day', 'month']);
export type PeriodLength = z.infer<typeof periodLengthSchema>;

/** Largest limit, count or bound: beyond this an IEEE double cannot represent every integer. */
export const MAX_SAFE = Number.MAX_SAFE_INTEGER;
export const MAX_STRING_VALUE = 2000;
export const MAX_PERIOD_COUNT = 1000;
/** Of the ID of a property. */
const MAX_SEATS = 100;
/** Months of a billing period: a year. */
export const MAX_BILLING_MONTHS = 12;

type Refinement = Pick<z.core.$RefinementCtx, 'addIssue'>;

/** A window that has no length, or a billing period that is not of months. */
function refuseWindow(
  { periodType, periodCount = 0, periodLength }: Pick<Meter, 'periodType' | 'periodCount' | 'periodLength'>,
  context: Refinement,
): void {
  if (periodType !== 'lifetime' && periodLength === undefined) {
    context.addIssue({ code: 'custom', path: ['periodLength'], message: 'Please select a meter length' });
  }
  if (periodType !== 'billing') return;
  if (periodLength !== undefined && periodLength !== 'month') {
    context.addIssue({ code: 'custom', path: ['periodLength'], message: 'Must be month' });
  }
  if (periodCount > MAX_BILLING_MONTHS) {
    const message = `Must be less than or equal to ${MAX_BILLING_MONTHS}`;
    context.addIssue({ code: 'custom', path: ['periodCount'], message });
  }
}

const periodCountSchema = z
  .int('Must be a whole number')
  .min(0, 'Must be greater than or equal to 0')
  .max(MAX_PERIOD_COUNT, `Must be less than or equal to ${MAX_PERIOD_COUNT}`)
  .optional();

/**
 * How usage is limited. `limit` is a count; a window is `periodCount` × `periodLength`.
 * A lifetime meter has neither; the others have both (a missing or zero count is 1).
 */
export const meterSchema = z
  .strictObject({
    limit: z
      .int('Must be a whole number')
      .min(0, 'Must be greater than or equal to 0')
      .describe('The limit per period.'),
    periodType: periodTypeSchema.describe(PERIOD_TYPE),
    periodCount: periodCountSchema.describe(
      'Number of hours, days or months. Of a billing period: months, at most 12.',
    ),
    periodLength: periodLengthSchema.optional().describe('Absent for lifetime. Of a billing period: month.'),
    uniqueResourceIds: z.boolean().describe('Whether unique resources are counted instead of amounts.'),
    trialLimit: z
      .int('Must be a whole number')
      .min(0, 'Must be greater than or equal to 0')
      .optional()
      .describe(
        'Of a plan, with a billing period: the limit of a whole trial of the plan. Absent: as without a trial.',
      ),
    rollover: rolloverSchema
      .optional()
      .describe('Of a billing period, or of months: what is left rolls over. Absent: it does not.'),
    overage: overageSchema.optional(),
  })
  .superRefine((meter, context) => {
    if (meter.trialLimit !== undefined && meter.periodType !== 'billing') {
      context.addIssue({
        code: 'custom',
        path: ['trialLimit'],
        message: 'Only a limit of a billing period has one',
      });
    }
    refuseWindow(meter, context);
    const isOfMonths =
      (meter.periodType === 'billing' || meter.periodType === 'rolling') && meter.periodLength === 'month';
    if (meter.rollover !== undefined && (!isOfMonths || meter.uniqueResourceIds)) {
      context.addIssue({
        code: 'custom',
        path: ['rollover'],
        message: 'Only limits every month or billing month roll over',
      });
    }
  })
  .transform(
    ({ periodCount, periodLength, trialLimit, rollover, overage, ...meter }): Meter => ({
      ...meter,
      ...(meter.periodType !== 'lifetime' && {
        periodCount: periodCount || 1,
        periodLength,
        ...(trialLimit !== undefined && { trialLimit }),
        ...(rollover !== undefined && { rollover }),
      }),
      ...(overage !== undefined && overage !== 'none' && { overage }),
    }),
  );

export interface Meter {
  limit: number;
  periodType: PeriodType;
  periodCount?: number | undefined;
  periodLength?: PeriodLength | undefined;
  uniqueResourceIds: boolean;
  /** Of a plan's value that counts by billing period: what applies instead of `limit` while a subscription that gives the plan is in its trial. */
  trialLimit?: number | undefined;
  /** What is left when a period ends can be used after it. */
  rollover?: Rollover | undefined;
  /** What usage may exceed the limit and all balances by; absent: not at all where updates are enforced. */
  overage?: Overage | undefined;
  /** An IANA name: whose calendar `rolling` windows follow. Of the version, so no value says it. Absent: UTC. */
  zone?: string | undefined;
}

/** What each entity of a customer may use, such as a member of a team, within what the customer may: a limit with a window of its own. */
export const perEntitySchema = z
  .strictObject({
    limit: z
      .int('Must be a whole number')
      .min(0, 'Must be greater than or equal to 0')
      .describe('The limit of each entity per period.'),
    periodType: periodTypeSchema.describe(PERIOD_TYPE),
    periodCount: periodCountSchema.describe('As of a meter.'),
    periodLength: periodLengthSchema.optional().describe('As of a meter.'),
    seats: z
      .string()
      .min(1, 'Must not be empty')
      .max(MAX_SEATS, `Must be at most ${MAX_SEATS} characters`)
      .optional()
      .describe(
        'ID of a meter: only entities that are a resource in use of it may use anything. Absent: any may.',
      ),
  })
  .superRefine(refuseWindow)
  .transform(
    ({ periodCount, periodLength, limit, periodType, seats }): PerEntity => ({
      ...(periodType === 'lifetime'
        ? { limit, periodType }
        : { limit, periodType, periodCount: periodCount || 1, periodLength }),
      ...(seats !== undefined && { seats }),
    }),
  )
  .describe('Of a plan: what each entity of a customer may use, within what the customer may.');

/** A window as that of a meter. Whether unique resources are counted is said by the property’s meter. */
export interface PerEntity
  extends Pick<Meter, 'limit' | 'periodType' | 'periodCount' | 'periodLength' | 'zone'> {
  /** ID of a meter whose resources in use are the customer’s seats: entities without one may use nothing. Absent: any entity may. */
  seats?: string | undefined;
}

const state = <Name extends string>(name: Name) =>
  z
    .literal(name)
    .describe('on: unlimited. off: never allowed. metered: allowed while usage is below the limit.');

export const meterableValueSchema = z.discriminatedUnion(
  'state',
  [
    z.strictObject({
      state: state('on'),
      perEntity: perEntitySchema.optional(),
      costs: planCostsSchema.optional(),
    }),
    z.strictObject({ state: state('off') }),
    z.strictObject({
      state: state('metered'),
      meter: meterSchema.describe('How usage is limited.'),
      perEntity: perEntitySchema.optional(),
      costs: planCostsSchema.optional(),
    }),
  ],
  'Must be on, off or metered',
);
export type MeterableValue = z.infer<typeof meterableValueSchema>;

/** Limits of a number property. A missing bound is no bound. */
export const numberBoundsSchema = z
  .strictObject({
    min: z.number().min(-MAX_SAFE).max(MAX_SAFE).optional(),
    max: z.number().min(-MAX_SAFE).max(MAX_SAFE).optional(),
    allowDecimal: z.boolean(),
  })
  .superRefine(({ min, max, allowDecimal }, context) => {
    if (!allowDecimal && min !== undefined && !Number.isInteger(min)) {
      context.addIssue({
        code: 'custom',
        path: ['min'],
        message: 'Minimum value must be an integer when decimal values are not allowed',
      });
    }
    if (!allowDecimal && max !== undefined && !Number.isInteger(max)) {
      context.addIssue({
        code: 'custom',
        path: ['max'],
        message: 'Maximum value must be an integer when decimal values are not allowed',
      });
    }
    if (min !== undefined && max !== undefined && min > max) {
      context.addIssue({
        code: 'custom',
        path: ['min'],
        message: 'Minimum value must be less than or equal to maximum value',
      });
    }
  });
export type NumberBounds = z.infer<typeof numberBoundsSchema>;

const valueSchemas = {
  number: z.number().min(-MAX_SAFE).max(MAX_SAFE),
  boolean: z.boolean(),
  string: z.string().max(MAX_STRING_VALUE),
  meterable: meterableValueSchema,
} as const satisfies Readonly<Record<PropertyType, z.ZodType>>;

/** The value of a property of each type. */
export type ValuesByType = { readonly [Type in PropertyType]: z.infer<(typeof valueSchemas)[Type]> };

/** Any property's value; which branch is right depends on the property's type. */
export const propertyValueSchema = z
  .union(
    Object.values(valueSchemas),
    'Must be a number, true or false, text, or a state of on, off or metered',
  )
  .describe('A property’s value as set by a plan or default.');
export type PropertyValue = ValuesByType[PropertyType];

/** A value that no plan sets, such as a default or an override: it limits neither trials nor entities, and does not say what one costs. */
export const ownValueSchema = propertyValueSchema.superRefine((value, context) => {
  if (typeof value !== 'object' || value.state === 'off') return;
  if (value.state === 'metered' && value.meter.trialLimit !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['meter', 'trialLimit'],
      message: 'Only plans have a limit in a trial',
    });
  if (value.perEntity !== undefined)
    context.addIssue({ code: 'custom', path: ['perEntity'], message: 'Only plans limit each entity' });
  if (value.costs !== undefined)
    context.addIssue({ code: 'custom', path: ['costs'], message: 'Only plans say what each one costs' });
});
