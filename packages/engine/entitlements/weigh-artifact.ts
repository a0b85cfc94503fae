/**
 * How much memory a prepared artifact takes, from what it consists of: V8 stores objects, texts and maps in the same way everywhere. The
 * benchmark of memory compares it with the heap.
 */
import { BYTES_PER_OBJECT, BYTES_PER_SLOT, bytesOfJson, bytesOfText } from '../cache/bytes-of-json.ts';
import type { Choice, PreparedArtifact, PreparedFeature, PreparedPlan } from './prepared-artifact.ts';

/** With its map of properties, and its places in others. */
const BYTES_PER_FEATURE = 260;
/** With the parts of its text, and its places in maps. */
const BYTES_PER_PROPERTY = 190;
const BYTES_PER_CHOICE = 28;
/** The parts of a meter's text, and its window. */
const BYTES_PER_METER_TEXT = 130;
/** With the heads of its arrays. */
const BYTES_PER_PLAN = 400;
/** Two arrays of 32 bits. */
const BYTES_PER_PLAN_VALUE = 8;

/** Without what is remembered with it later, which is weighed where it is kept. */
export function bytesOfArtifact({ content, features, plans }: PreparedArtifact): number {
  let bytes = bytesOfJson(content);
  for (const feature of features) bytes += bytesOfFeature(feature);
  for (const plan of plans) bytes += bytesOfPlan(plan);
  return bytes;
}

function bytesOfFeature({ properties }: PreparedFeature): number {
  let bytes = BYTES_PER_FEATURE;
  for (const { lead, choices } of properties) {
    bytes += BYTES_PER_PROPERTY + bytesOfText(lead) + choices.length * BYTES_PER_SLOT;
    for (const choice of choices) bytes += bytesOfChoice(choice);
  }
  return bytes;
}

/** Without its value, which is the artifact's or the caller's. */
export function bytesOfChoice({ text, meter }: Choice): number {
  return (
    BYTES_PER_CHOICE + (text === null ? 0 : bytesOfText(text)) + (meter === null ? 0 : BYTES_PER_METER_TEXT)
  );
}

function bytesOfPlan({ propertyIndexes, plan }: PreparedPlan): number {
  return (
    BYTES_PER_PLAN +
    propertyIndexes.length * BYTES_PER_PLAN_VALUE +
    plan.products.length * (BYTES_PER_OBJECT + 4 * BYTES_PER_SLOT)
  );
}
