/** A warning before a version is created: names of the last one that workflows still use, and the workspace no longer has. */

import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Diff } from '#contracts/console/artifacts';
import type { LostName } from '#contracts/console/names';
import { nameEndpoints } from '#contracts/console/names';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { linesOf } from '#web/forms/item-uses.tsx';
import { paths } from '#web/paths.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './lost-names.module.css';

const NOUNS = { plan: 'plan', feature: 'feature', 'feature-property': 'property' } as const;
/** Further names are counted. */
const SHOWN = 5;

export interface LostNamesProps {
  readonly orgId: string;
  /** From the last version to the workspace. */
  readonly diff: Pick<Diff, 'items'> | undefined;
  /** A link was followed. */
  readonly onLeave: (() => void) | undefined;
}

export function LostNames({ orgId, diff, onLeave }: LostNamesProps) {
  const { data = [] } = useQuery({
    ...endpointQuery(nameEndpoints.lost, { orgId }),
    enabled: diff?.items.some(mayLoseName) ?? false,
  });
  if (data.length === 0) return null;
  return (
    <Notice isWide role="status" title="Workflows use names that this version no longer has">
      <ul className={classes.names}>
        {data.slice(0, SHOWN).map((lost) => (
          <LostNameLine
            key={`${lost.itemType} ${lost.itemName}`}
            orgId={orgId}
            lost={lost}
            onLeave={onLeave}
          />
        ))}
      </ul>
      {data.length > SHOWN && <p className="flush">and {data.length - SHOWN} more</p>}
      <p className="flush">You can create the version anyway.</p>
    </Notice>
  );
}

interface LostNameLineProps extends Pick<LostNamesProps, 'orgId' | 'onLeave'> {
  readonly lost: LostName;
}

function LostNameLine({ orgId, lost, onLeave }: LostNameLineProps) {
  const { name, itemType, itemName, renamedTo, workflows } = lost;
  return (
    <li>
      <code>{name}</code>{' '}
      {renamedTo === null ? (
        <>
          was the {NOUNS[itemType]} <bdi>{itemName}</bdi>
        </>
      ) : (
        <>
          is now <code>{renamedTo}</code>
        </>
      )}
      :{' '}
      {workflows.map((workflow, index) => (
        <span key={workflow.id}>
          {index > 0 && ', '}
          <Anchor
            component={Link}
            to={paths.workflow(orgId, workflow.id, 'code')}
            inherit
            underline="always"
            onClick={onLeave}
          >
            <bdi>{workflow.name}</bdi>
            {linesOf(workflow)}
          </Anchor>
        </span>
      ))}
    </li>
  );
}

/** Only deletions and changes of plans, features and properties can. */
function mayLoseName({ type, itemType }: Diff['items'][number]): boolean {
  return type !== 'add' && (itemType === 'plan' || itemType === 'feature' || itemType === 'feature-property');
}
