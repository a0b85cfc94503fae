/**
 * The size of an organisation's compiled workspace, from the sizes of its rows: nothing is compiled or read whole when something is
 * saved. A change that makes a workspace larger than MAX_WORKSPACE_BYTES aborts its batch; one that makes it smaller is always saved.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_WORKSPACE_BYTES, type WorkspaceSize } from '#contracts/console/artifacts';
import { feature, featureProperty } from './schema/features.ts';
import { organization } from './schema/organisations.ts';
import { plan, planVersion } from './schema/plans.ts';
import { workflow } from './schema/workflows.ts';

/** Names of fields, ids and punctuation of one entry, besides its texts. */
const BYTES_PER_ROW = 150;
/** Begins the invalid JSON path that aborts the batch, as in commit-if.ts. */
const TOO_LARGE = 'workspace-too-large:';

/** To be set in the batch of a change, after its other statements. */
export function boundedWorkspaceSize(orgId: string): SQL<WorkspaceSize> {
  const sum = (column: 'features' | 'plans' | 'workflows') =>
    sql`(${organization.workspaceSize} ->> ${sql.raw(`'$.${column}'`)})`;
  const before = sql`${sum('features')} + ${sum('plans')} + ${sum('workflows')}`;
  const total = sql`w.features + w.plans + w.workflows`;
  return sql<WorkspaceSize>`(SELECT CASE WHEN ${total} > ${MAX_WORKSPACE_BYTES} AND ${total} > ${before}
    THEN json_extract('{}', ${TOO_LARGE} || w.features || ',' || w.plans || ',' || w.workflows)
    ELSE json_object('features', w.features, 'plans', w.plans, 'workflows', w.workflows) END
    FROM (${measured(orgId)}) w)`;
}

/** SQL: one row of features, plans and workflows. */
function measured(orgId: string): SQL {
  const bytes = (...columns: readonly SQL[]) =>
    sql`ifnull(sum(${sql.raw(String(BYTES_PER_ROW))} + ${sql.join(
      columns.map((column) => sql`ifnull(octet_length(${column}), 0)`),
      sql` + `,
    )}), 0)`;
  // As JSON: a control character takes six bytes.
  const texts = (...names: readonly string[]) => names.map((name) => sql.raw(`json_quote(r.${name})`));
  const json = (...names: readonly string[]) => names.map((name) => sql.raw(name));
  const features = sql`SELECT ${bytes(...texts('name', 'slug', 'description'))} FROM ${feature} r WHERE r.org_id = ${orgId}`;
  const properties = sql`SELECT ${bytes(...texts('property_key', 'name', 'description'), ...json('r.value', 'r.bounds', 'r.costs'))}
    FROM ${featureProperty} r WHERE r.org_id = ${orgId}`;
  const plans = sql`SELECT ${bytes(...texts('name', 'slug', 'description'), ...json('v.properties'))} FROM ${plan} r
    JOIN ${planVersion} v ON v.plan_id = r.id AND v.version = r.current_version WHERE r.org_id = ${orgId}`;
  const workflows = sql`SELECT ${bytes(...texts('name', 'compiled_source', 'compiled'))} FROM ${workflow} r
    WHERE r.org_id = ${orgId} AND r.enabled AND r.compiled IS NOT NULL`;
  return sql`SELECT (${features}) + (${properties}) AS features, (${plans}) AS plans, (${workflows}) AS workflows`;
}

/** The size that a refused change would have led to; null for any other error. */
export function tooLargeWorkspaceOf(error: unknown): WorkspaceSize | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const [, features, plans, workflows] = /workspace-too-large:(\d+),(\d+),(\d+)/.exec(cause.message) ?? [];
    if (workflows !== undefined) {
      return { features: Number(features), plans: Number(plans), workflows: Number(workflows) };
    }
  }
  return null;
}
