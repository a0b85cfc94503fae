/** The table of API keys. On small screens each row becomes a card. */
import { Anchor, Box, Button, Flex, Skeleton } from '@mantine/core';
import { IconKey, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ApiKey } from '#contracts/console/api-keys';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { paths } from '#web/paths.ts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { KeyLimits } from './key-limits.tsx';
import { KeyValue } from './key-value.tsx';
import classes from './keys.module.css';

export interface KeysTableProps {
  /** Undefined while loading. */
  readonly keys: readonly ApiKey[] | undefined;
  /** Undefined while loading, and if loading failed. */
  readonly uses: readonly { readonly keyId: string; readonly lastUsedAt: number }[] | undefined;
  readonly hasUsesFailed?: boolean;
  readonly onEdit: (apiKey: ApiKey) => void;
  readonly onRevoke: (apiKey: ApiKey) => void;
}

const SKELETONS = ['one', 'two'];

export function KeysTable(props: KeysTableProps) {
  const orgId = useOrgId();
  const { keys, uses, hasUsesFailed = false, onEdit, onRevoke } = props;
  const lastUses = new Map(uses?.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  if (keys?.length === 0) {
    return (
      <Box component="p" m={0} c="dimmed" ta="center" py={40} px={24} style={{ textWrap: 'balance' }}>
        No keys yet. Your app sends one with every access check, for example{' '}
        <code>Authorization: Bearer tsr_sec_…</code>. Create a secret key for your server to start, or read
        about{' '}
        <Anchor component={Link} to={paths.apiDocsSection('authentication')} inherit underline="always">
          keys in the API docs
        </Anchor>
        .
      </Box>
    );
  }
  return (
    <table className={`table data-table ${classes.table}`} aria-label="API keys">
      <thead>
        <tr>
          <th>Name</th>
          <th>Key</th>
          <th>Limits</th>
          <th>Last used</th>
          <th>Created</th>
          <th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys === undefined
          ? SKELETONS.map((name) => (
              <tr key={name}>
                <td>
                  <Skeleton height={14} width={60} />
                </td>
                <td>
                  <Skeleton height={14} width={260} maw="100%" />
                </td>
                <td>
                  <Skeleton height={14} width={140} />
                </td>
                <td>
                  <Skeleton height={14} width={80} />
                </td>
                <td>
                  <Skeleton height={14} width={80} />
                </td>
                <td />
              </tr>
            ))
          : keys.map((apiKey) => (
              <tr key={apiKey.id}>
                <td>
                  <KeyName apiKey={apiKey} />
                </td>
                <td>
                  <KeyValue apiKey={apiKey} />
                </td>
                <td className={`muted ${classes.limits}`}>
                  <KeyLimits apiKey={apiKey} />
                </td>
                <td className={`muted ${classes.used}`}>
                  <LastUse
                    at={lastUses.get(apiKey.id)}
                    isKnown={uses !== undefined}
                    hasFailed={hasUsesFailed}
                  />
                </td>
                <td className={`muted ${classes.created}`}>
                  <Age at={apiKey.createdAt} />
                  {apiKey.createdByUserId !== null && (
                    <>
                      {' '}
                      <span className="one-line">
                        by <MemberName orgId={orgId} userId={apiKey.createdByUserId} />
                      </span>
                    </>
                  )}
                </td>
                <td className={`text-end nowrap ${classes.rowEnd}`}>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Edit ${apiKey.maskedValue}`}
                    onClick={() => onEdit(apiKey)}
                  >
                    Edit
                  </Button>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    aria-label={`Revoke ${apiKey.maskedValue}`}
                    onClick={() => onRevoke(apiKey)}
                  >
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  );
}

const TYPES: Record<ApiKeyType, { readonly icon: typeof IconKey; readonly label: string }> = {
  secret: { icon: IconKey, label: 'Secret' },
  public: { icon: IconWorld, label: 'Public' },
};

/** The type's name stands in for a missing name. */
function KeyName({ apiKey: { type, name, managesCustomers } }: { apiKey: ApiKey }) {
  const { icon: Icon, label } = TYPES[type];
  return (
    <Flex component="span" display="inline-flex" align="center" gap={8} className="medium">
      <Icon size={15} stroke={1.6} aria-hidden className="muted" />
      <Flex component="span" direction="column" miw={0}>
        <span className="breaks">{name ?? label}</span>
        {name !== null && <span className="muted tiny regular">{label}</span>}
        {managesCustomers && <span className="muted tiny regular">Manages customers</span>}
      </Flex>
    </Flex>
  );
}

interface LastUseProps {
  readonly at: number | undefined;
  readonly isKnown: boolean;
  readonly hasFailed: boolean;
}

function LastUse({ at, isKnown, hasFailed }: LastUseProps) {
  if (at !== undefined) return <Age at={at} />;
  if (hasFailed) return <span title="Could not be loaded">–</span>;
  return isKnown ? (
    <span title="Recorded up to an hour late">Never</span>
  ) : (
    <Skeleton renderRoot={(props) => <span {...props} />} height={12} width={64} display="inline-block" />
  );
}
