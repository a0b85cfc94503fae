/**
 * What the console knows about one type of property. Each type has two files beside this one: how it is called and shown, which lists
 * load, and its editor, which only forms load. `views.ts` and `editors.ts` list them.
 */
import type { ComponentType, ReactNode } from 'react';
import type { ConflictResolution, NumberBounds, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import type { ValueErrors } from '../check-value-form.ts';
import type { ControlSize } from '../number-field.tsx';
import type { ValueDraft } from '../value-draft.ts';

export interface KindView<Value extends PropertyValue> {
  readonly label: string;
  /** Where somebody chooses a type. */
  readonly description: string;
  /** In one read-only line. */
  view(value: Value, bounds: NumberBounds | null | undefined): ReactNode;
  /** In sentences and histories. @param value of this type, or of an earlier release */
  text(value: Value): string;
  /** What happens when several of a customer's plans set the property. @param limitOrder undefined: unknown, as in a change of the past */
  ruleLabel(rule: ConflictResolution, limitOrder: LimitOrder | undefined): string;
}

export interface ControlProps {
  /** For screen readers. */
  readonly label: string;
  readonly disabled: boolean | undefined;
  readonly size: ControlSize;
  readonly describedBy: string | undefined;
  readonly bounds: NumberBounds | null | undefined;
  readonly isInvalid: boolean;
  readonly value: ValueDraft;
  readonly onChange: (value: ValueDraft) => void;
}

export interface SeatMeter {
  readonly id: string;
  /** 'Team › Seats' */
  readonly name: string;
}

export interface MeterCosts {
  readonly per: number;
  /** The meter that pays: 'AI › Credits'. */
  readonly of: string;
}

export interface DetailsProps {
  readonly label: string;
  readonly disabled?: boolean | undefined;
  readonly size: ControlSize;
  /** Whether a plan sets the value: it may have what defaults and overrides have not. */
  readonly isOfPlan?: boolean | undefined;
  /** What each one costs by the property; null: nothing, which no plan changes. */
  readonly costs?: MeterCosts | null | undefined;
  /** Of a plan: other meters, of which members may need a seat. */
  readonly seatMeters?: readonly SeatMeter[] | undefined;
  /** By path within the value. */
  readonly errors: ValueErrors;
  readonly value: ValueDraft;
  readonly onChange: (value: ValueDraft) => void;
}

export interface KindEditor {
  /** Small enough for a table cell. Plain elements, because a page can contain thousands. */
  readonly Control: ComponentType<ControlProps>;
  /** What a value has besides, below its control; null: nothing. */
  readonly details: {
    readonly isShown: (value: ValueDraft, isOfPlan: boolean) => boolean;
    readonly Details: ComponentType<DetailsProps>;
  } | null;
}
