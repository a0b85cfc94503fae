/** Changes, newest first: who did what to which object, and when. */
import { Flex } from '@mantine/core';
import { Link } from 'react-router';
import type { Activity, ActivityActor, ActivityNames } from '#contracts/console/activity';
import { useOrgId } from '#web/session/organisation.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import classes from './activity-list.module.css';
import { activityPath } from './activity-path.ts';
import { actorName, describeActivity } from './describe-activity.ts';

export interface ActivityListProps {
  readonly label: string;
  readonly items: readonly Activity[];
  readonly names: ActivityNames;
  /** Shows the changes of one author; undefined: names are plain text. */
  readonly onActor?: ((actor: ActivityActor) => void) | undefined;
  /** The object that all changes are about has no link to itself. */
  readonly target?: string | undefined;
}

export function ActivityList({ label, items, names, onActor, target }: ActivityListProps) {
  const orgId = useOrgId();
  return (
    <ol className={`list divided small ${classes.list}`} aria-label={label}>
      {items.map((item) => {
        const { what, detail, changes } = describeActivity(item, names);
        const path = item.targetId === target ? undefined : activityPath(orgId, item);
        return (
          <li key={item.id}>
            <Flex component="span" direction="column" miw={0}>
              <span className="breaks">
                <Author actor={item.actor} onActor={onActor} />{' '}
                {path === undefined ? (
                  what
                ) : (
                  <Link to={path} className={classes.object}>
                    {what}
                  </Link>
                )}
              </span>
              {detail !== null && <span className="muted tiny breaks">{detail}</span>}
              {changes.length > 0 && (
                <span className={`muted tiny breaks ${classes.changes}`}>{changes.join('\n')}</span>
              )}
            </Flex>
            <span className="muted figures nowrap">
              <Age at={item.at} isShortIfNarrow />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Author({ actor, onActor }: { actor: ActivityActor } & Pick<ActivityListProps, 'onActor'>) {
  const name = actorName(actor);
  if (onActor === undefined) return <bdi className="medium">{name}</bdi>;
  return (
    <Hint label={actor.email ?? `Show only changes by ${name}`}>
      <button
        type="button"
        className={classes.author}
        aria-label={`${name}: show only these changes`}
        onClick={() => onActor(actor)}
      >
        <bdi>{name}</bdi>
      </button>
    </Hint>
  );
}
