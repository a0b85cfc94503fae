/** How a value of each type is edited. A type that is missing here does not compile. */
import type { PropertyType } from '#contracts/public/values';
import { booleanEditor } from './boolean-editor.tsx';
import type { KindEditor } from './kind.ts';
import { meterableEditor } from './meterable-editor.tsx';
import { numberEditor } from './number-editor.tsx';
import { stringEditor } from './string-editor.tsx';

export const EDITORS: Readonly<Record<PropertyType, KindEditor>> = {
  number: numberEditor,
  boolean: booleanEditor,
  string: stringEditor,
  meterable: meterableEditor,
};
