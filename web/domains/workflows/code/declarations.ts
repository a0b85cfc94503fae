/**
 * Generates the types that a workflow's code is checked against, from the organisation's plan slugs and the properties of
 * the workflow's feature: a misspelt slug or a value of the wrong type is an error in the editor.
 */
import type { FeatureProperty } from '#contracts/console/features';
import type { WorkflowType } from '#contracts/console/workflows';
import { kindOf } from '#engine/values/kinds/kinds';
import inputTypes from './workflow-input.d.ts?raw';

export interface WorkflowDependencies {
  readonly type: WorkflowType;
  readonly planSlugs: readonly string[];
  /** Null for dynamic provisioning, and if the feature was deleted. */
  readonly feature: {
    readonly slug: string;
    readonly properties: readonly Pick<FeatureProperty, 'propertyKey' | 'name' | 'type' | 'bounds'>[];
  } | null;
}

/** The name of the file that a developer edits. */
export const FILE_NAME = 'workflow.ts';

/** Checks that the module exports a workflow. The editor shows its errors at the default export. */
export const EXPORT_CHECK = `import workflow from './workflow';\nexport const checked: Workflow = workflow;\n`;

export function declarationsOf({ type, planSlugs, feature }: WorkflowDependencies): string {
  return [
    inputTypes,
    PLATFORM,
    `/** The slugs of your plans. */\ntype PlanSlug = ${planSlugs.length === 0 ? 'never' : planSlugs.map(quoted).join(' | ')};`,
    type === 'dynamic-provisioning' ? PROVISIONING : behaviourOf(feature),
    WORKFLOW,
  ].join('\n\n');
}

const PLATFORM = `/**
 * Logs are part of the execution: the first 50 lines, of 1,000 characters each. An event stores about 30,000 characters of its
 * workflows' logs; later lines are dropped.
 */
declare const console: {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
};

/** Beside the language there are these, URL, URLSearchParams, TextEncoder and TextDecoder: no network, no timers, no clock. */
declare function structuredClone<Value>(value: Value): Value;
declare function queueMicrotask(callback: () => void): void;
declare function atob(base64: string): string;
declare function btoa(binary: string): string;
declare class URLSearchParams {
  constructor(init?: string | Record<string, string>);
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
}
declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
  readonly searchParams: URLSearchParams;
}
declare class TextEncoder {
  encode(text?: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string);
  decode(bytes?: ArrayBuffer | ArrayBufferView): string;
}`;

const PROVISIONING = `/** The plans to add, or with \`mode: 'replace'\` the only plans that apply. */
type WorkflowResult = PlanSlug[] | { plans: PlanSlug[]; mode: 'add' | 'replace' };`;

const WORKFLOW = `/**
 * A workflow runs inside the access check: all workflows of a check have 250 milliseconds together, and each has 50 of processor time
 * and a million rounds of loops and calls. Variables of the module may survive until the next run, or not: do not rely on them.
 */
type Workflow = (input: WorkflowInput) => WorkflowResult | Promise<WorkflowResult>;`;

const METERABLE = `/** Metered values have a limit per period; a lifetime has no period. */
type MeterableValue =
  | { state: 'on' }
  | { state: 'off' }
  | {
      state: 'metered';
      meter:
        | { limit: number; periodType: 'lifetime'; uniqueResourceIds: boolean }
        | {
            limit: number;
            periodType: 'fixed' | 'rolling' | 'billing';
            periodCount?: number;
            periodLength: 'hour' | 'day' | 'month';
            uniqueResourceIds: boolean;
          };
    };`;

function behaviourOf(feature: WorkflowDependencies['feature']): string {
  const properties = feature?.properties ?? [];
  const fieldsOf = (isMeter: boolean) =>
    properties
      .filter(({ type }) => (type === 'meterable') === isMeter)
      .map(
        ({ propertyKey, name, type, bounds }) =>
          `  /** ${comment([name, boundsText(bounds)])} */\n  ${quoted(propertyKey)}: ${kindOf(type).typeScript.value};`,
      )
      .join('\n');
  const meters = properties.filter(({ type }) => type === 'meterable').map(({ propertyKey }) => propertyKey);
  return `${METERABLE}

/** The properties that a workflow can set. */
interface FeatureValues {
${fieldsOf(false)}
}

/** Usage is counted before workflows run, so they can read meters but not set them. */
interface FeatureMeters {
${fieldsOf(true)}
}

interface WorkflowFeature {
  readonly slug: ${feature === null ? 'string' : quoted(feature.slug)};
  /** The values that plans, overrides and defaults set. */
  readonly values: Readonly<FeatureValues & FeatureMeters>;
  readonly meters: { ${meters.map((key) => `readonly ${quoted(key)}?: WorkflowMeter;`).join(' ')} };
}

interface WorkflowInput {
  readonly feature: WorkflowFeature;
}

/** Values that replace those of the plans. Properties left out keep theirs. */
type WorkflowResult = Partial<FeatureValues>;`;
}

/** Slugs and keys contain no quotes, but are quoted as any text. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Names are free text: they must not end the comment. */
function comment(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .join('. ')
    .replaceAll('*/', '* /');
}

function boundsText(bounds: FeatureProperty['bounds']): string | null {
  if (bounds === null) return null;
  const { min, max, allowDecimal } = bounds;
  const range = [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`];
  return [
    allowDecimal ? 'Decimals allowed' : 'A whole number',
    ...range.filter((part) => part !== false),
  ].join(', ');
}
