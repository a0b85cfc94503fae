/** On the page of a customer who is stored under a name that calls cannot send: why, where it has moved, and how to move it. */
import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { IDENTIFIER_PROBLEMS, readIdentifier } from '#contracts/public/identifiers';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

const moveCustomerDialog = codeApart(
  async () => (await import('./move-customer-dialog.tsx')).MoveCustomerDialog,
);

export interface StoredNameNoteProps {
  readonly identifier: string;
  /** The customer that has it now; undefined if it has not moved, or while loading. */
  readonly movedTo: string | undefined;
}

export function StoredNameNote({ identifier, movedTo }: StoredNameNoteProps) {
  const orgId = useOrgId();
  const [isMoving, moving] = useDisclosure(false);
  const read = readIdentifier(identifier);
  if (read.ok) return null;
  return (
    <Notice isWide role="note" title="Calls can’t use this identifier">
      {`${IDENTIFIER_PROBLEMS[read.reason]}. `}
      {movedTo === undefined ? (
        <>
          Move its grants, overrides and usage to the identifier that your calls send, or end them below.{' '}
          <Button variant="default" size="compact-sm" onClick={moving.open}>
            Move to…
          </Button>
        </>
      ) : (
        <>
          Its grants, overrides and usage have moved to{' '}
          <Anchor component={Link} to={paths.customer(orgId, movedTo)} inherit underline="always">
            {movedTo}
          </Anchor>
          .
        </>
      )}
      <OptionalPart
        code={moveCustomerDialog}
        isNeeded={isMoving}
        props={{ identifier, isOpen: isMoving, onClose: moving.close }}
        onFailure={moving.close}
      />
    </Notice>
  );
}
