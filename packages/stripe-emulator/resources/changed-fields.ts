// An event's `previous_attributes`: the previous values of the changed fields.

/** @returns null if nothing changed. Compares objects field by field, one level deep, as Stripe does for metadata. */
export function changedFields(before: object, after: object): Record<string, unknown> | null {
  const previous = differences(toJson(before), toJson(after));
  return Object.keys(previous).length === 0 ? null : previous;
}

function differences(before: JsonObject, after: JsonObject): JsonObject {
  const previous: JsonObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = before[key];
    const is = after[key];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    previous[key] =
      key === 'metadata' && isObject(was) && isObject(is) ? differences(was, is) : (was ?? null);
  }
  return previous;
}

type JsonObject = { [key: string]: unknown };

function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
