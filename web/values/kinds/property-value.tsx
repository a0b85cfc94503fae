/** A property's value in one read-only line. */
import { memo } from 'react';
import type { NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { viewOf } from './views.ts';

export interface PropertyValueViewProps {
  /** The property's, if it is known. */
  readonly type?: PropertyType | undefined;
  /** The unit of number properties, shown faint after the number. */
  readonly bounds?: NumberBounds | null | undefined;
  readonly value: PropertyValue;
}

export const PropertyValueView = memo(function PropertyValueView(props: PropertyValueViewProps) {
  const { value, bounds } = props;
  const own = typeOfValue(value);
  const { type = own } = props;
  // The value's type differs from the property's: show it as it is.
  if (type === null || type !== own)
    return <span className="small mono breaks">{JSON.stringify(value)}</span>;
  return viewOf(type).view(value, bounds);
});
