/** What the engine finds wrong with a value, by path, for the editors to show. */
import { checkValue, type ValueDefinition } from '#engine/values/check-value';

/** Empty when the value fits. */
export function valueErrors(definition: ValueDefinition, value: unknown): Record<string, string> {
  return Object.fromEntries(checkValue(definition, value).map(({ path, message }) => [path, message]));
}
