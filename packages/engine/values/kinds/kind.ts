/** What the engine knows about one type of property. Each type is one file beside this one, and `kinds.ts` lists them. */
import type { NumberBounds, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import type { Issue } from '../issue.ts';

export interface Kind<Value extends PropertyValue> {
  readonly defaultValue: Value;
  /** Whether a property of this type can have bounds. */
  readonly hasBounds: boolean;
  /** Whether a higher value is more. A text is only another one. */
  readonly isGraded: boolean;
  /** In the code of workflows, and in what applications read. */
  readonly typeScript: { readonly value: string; readonly answer: string };
  /** @returns the issues of `value`, which may be anything; empty if it is valid */
  check(value: unknown, bounds: NumberBounds | null): Issue[];
  /** Equal values have equal JSON then. @param value accepted by `check` */
  normalise(value: Value): Value;
  /** Total: zero only for equal values. Positive if `one` is higher. */
  compare(one: Value, other: Value, limitOrder: LimitOrder): number;
  /** How values of several plans add up; null if they do not. */
  readonly sum: Sum<Value> | null;
  /** What a plan's value is for a quantity of its product. The same value if that changes nothing. */
  multiply(value: Value, quantity: number): Value;
  /** Whether the value denies what the property is about. */
  isOff(value: Value): boolean;
}

export interface Sum<Value> {
  /** What the values come to, one for each group that adds up; the highest of them applies. */
  of(values: readonly Value[]): readonly Value[];
  /** Whether a value adds up with others. */
  adds(value: Value): boolean;
  /** Whether a value is part of the sum that applies. */
  isPart(value: Value, sum: Value): boolean;
}
