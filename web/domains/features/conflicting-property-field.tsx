/** Displays one property field that two people changed. */
import type { ReactNode } from 'react';
import type { Feature } from '#contracts/console/features';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import { formatNumber } from '#web/ui/format.ts';
import { readValue } from '#web/values/check-value-form.ts';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { viewOf } from '#web/values/kinds/views.ts';
import { payerName } from './costs-field.tsx';
import type { PropertyFormValues } from './property-form.ts';

export function shownField(
  field: keyof PropertyFormValues,
  values: PropertyFormValues,
  limitOrder: LimitOrder | undefined,
  features: readonly Feature[],
): ReactNode {
  const { type } = values;
  switch (field) {
    case 'value': {
      const value = readValue({ type }, values.value);
      return value === null ? 'Incomplete value' : <PropertyValueView type={type} value={value} />;
    }
    case 'min':
    case 'max': {
      const bound = values[field];
      return bound === null ? 'None' : Number.isNaN(bound) ? 'Not a number' : formatNumber(bound);
    }
    case 'allowDecimal':
      return values.allowDecimal ? 'Allowed' : 'Not allowed';
    case 'balanceOpens':
      return values.balanceOpens ? 'Yes' : 'No';
    case 'conflictResolution':
      return viewOf(type).ruleLabel(values.conflictResolution, limitOrder);
    case 'costs': {
      const { costs } = values;
      if (costs === null) return 'Nothing';
      return `${formatNumber(Number(costs.per))} of ${payerName(features, costs.propertyId)}`;
    }
    default:
      return values[field] === '' ? 'Empty' : values[field];
  }
}
