/** Part of a dialog that deletes or renames an item: the workflows, plans and products that use it, with links. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { WorkflowUse } from '#contracts/console/names';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { FoundBox } from './found-box.tsx';
import { itemUsesQuery, type NamedItem } from './item-uses-query.ts';

/** Further names are counted. */
const SHOWN = 8;

export interface ItemUsesProps {
  /** Null while the dialog is closed. */
  readonly item: NamedItem | null;
}

export function ItemUses({ item }: ItemUsesProps) {
  const orgId = useOrgId();
  return (
    <FoundBox query={useQuery(itemUsesQuery(orgId, item))} what="what uses it">
      {({ workflows, plans, products }) =>
        workflows.length + plans.length + products.length === 0 ? (
          <p>No workflow, plan or product uses it.</p>
        ) : (
          <>
            <p className="strong medium">Used by</p>
            <ul>
              <Uses label="Workflows" count={workflows.length}>
                {workflows.slice(0, SHOWN).map((workflow) => (
                  <Anchor
                    key={workflow.id}
                    component={Link}
                    to={paths.workflow(orgId, workflow.id, 'code')}
                    inherit
                  >
                    <bdi>{workflow.name}</bdi>
                    {linesOf(workflow)}
                  </Anchor>
                ))}
              </Uses>
              <Uses label="Plans" count={plans.length}>
                {plans.slice(0, SHOWN).map(({ id, name }) => (
                  <Anchor key={id} component={Link} to={paths.plan(orgId, id)} inherit>
                    <bdi>{name}</bdi>
                  </Anchor>
                ))}
              </Uses>
              <Uses label="Stripe products" count={products.length}>
                {products.slice(0, SHOWN).map(({ id, integrationId, name }) => (
                  <Anchor
                    key={`${integrationId} ${id}`}
                    component={Link}
                    to={paths.stripeIntegration(orgId, integrationId)}
                    inherit
                  >
                    <bdi>{name}</bdi>
                  </Anchor>
                ))}
              </Uses>
            </ul>
          </>
        )
      }
    </FoundBox>
  );
}

function Uses({ label, count, children }: { label: string; count: number; children: readonly ReactNode[] }) {
  if (count === 0) return null;
  const rest = count - children.length;
  return (
    <li>
      <span className="strong medium">{label}</span>
      <span className="breaks">
        {children.map((child, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <Fragment key={index}>
            {index > 0 && ', '}
            {child}
          </Fragment>
        ))}
        {rest > 0 && ` and ${rest} more`}
      </span>
    </li>
  );
}

/** ' (lines 3 and 8)' */
export function linesOf({ lines }: Pick<WorkflowUse, 'lines'>): string {
  if (lines.length === 0) return '';
  const list = new Intl.ListFormat('en-GB').format(lines.map(String));
  return ` (${lines.length === 1 ? 'line' : 'lines'} ${list})`;
}
