/** What to know before reading a customer's page: warnings of the environment, and whose usage it shows. */
import { Anchor, Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import { readIdentifier } from '#contracts/public/identifiers';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { StoredNameNote } from './stored-name-note.tsx';

export interface CustomerNotesProps {
  readonly identifier: string;
  /** Undefined while loading. */
  readonly entitled: CustomerEntitlements | undefined;
  readonly created: Customer['created'];
  readonly environments: readonly Environment[];
}

export function CustomerNotes({ identifier, entitled, created, environments }: CustomerNotesProps) {
  const orgId = useOrgId();
  if (entitled === undefined) return null;
  const isOther = entitled.identifier !== identifier;
  const read = readIdentifier(identifier);
  const isCallable = read.ok;
  const whose = {
    email: 'email belongs to customer',
    'stripe-customer': 'Stripe customer is the same as customer',
    other: 'user ID belongs to customer',
  }[read.ok ? read.kind : 'other'];
  const otherIds = entitled.viaUserIds.map(({ userId }) => userId).filter((userId) => userId !== identifier);
  const createdIn = environments.filter(({ id }) =>
    created.some(({ environmentId }) => environmentId === id),
  );
  const isElsewhere = createdIn.length > 0 && createdIn.every(({ id }) => id !== entitled.environmentId);
  return (
    <>
      {isElsewhere && !isOther && (
        <Text role="note" fz="sm" className="muted breaks">
          Not created in this environment, only in {createdIn.map(({ name }) => name).join(', ')}.
        </Text>
      )}
      {!isCallable && (
        <StoredNameNote identifier={identifier} movedTo={isOther ? entitled.identifier : undefined} />
      )}
      {entitled.warnings.map(({ code, message }) => (
        <Box key={code} role="status" component="p" m={0} bdrs="md" py={10} px={16} className="warning">
          {message}
        </Box>
      ))}
      {otherIds.length > 0 && (
        <Text role="note" fz="sm" className="muted breaks">
          Also known as {otherIds.join(', ')}.
        </Text>
      )}
      {isOther && isCallable && (
        <Text
          role="note"
          fz="sm"
          bdrs="md"
          py={10}
          px={16}
          bd="1px solid var(--accent-line)"
          bg="var(--accent-soft)"
          className="breaks"
        >
          In this environment, this {whose}{' '}
          <Anchor
            component={Link}
            to={paths.customer(orgId, entitled.identifier, entitled.environmentId)}
            inherit
            underline="always"
          >
            {entitled.identifier}
          </Anchor>
          . The plans and usage below are that customer’s.
        </Text>
      )}
    </>
  );
}
