/** A card of one kind of manual entry: each entry with author, reason, environment and end, and how to remove it. */
import { Button, Flex, Menu, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import type { CustomerGrant, CustomerOverride } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import { Age } from '#web/ui/age.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatAge, formatInstant } from '#web/ui/format.ts';
import { Hint } from '#web/ui/hint.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { Section } from '#web/ui/section.tsx';
import { useLastValue } from '#web/ui/use-last-value.ts';
import classes from './customers.module.css';

type Entry = CustomerGrant | CustomerOverride;

/** How an entry is removed; `name` is its label from `labelOf`. */
export interface EntryRemoval {
  /** In the row's menu: 'Withdraw'. */
  readonly label: string;
  readonly title: (name: string) => string;
  readonly confirmLabel: (name: string) => string;
  readonly consequence: string;
  readonly toastTitle: string;
  readonly mutation: {
    readonly isPending: boolean;
    readonly mutate: (id: string, answer: { onSuccess: () => void; onSettled: () => void }) => void;
  };
}

export interface ManualEntryCardProps<Item extends Entry> {
  readonly title: string;
  readonly description: string;
  readonly addLabel: string;
  readonly listLabel: string;
  readonly none: string;
  readonly identifier: string;
  readonly items: readonly Item[];
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
  readonly labelOf: (item: Item) => string;
  /** The entry's first line; its label by default. */
  readonly show?: (item: Item) => ReactNode;
  readonly removal: EntryRemoval;
  readonly renderDialog: (isOpen: boolean, onClose: () => void) => ReactNode;
}

export function ManualEntryCard<Item extends Entry>(props: ManualEntryCardProps<Item>) {
  const { title, description, addLabel, listLabel, none, identifier, items, labelOf, removal } = props;
  const [isAdding, adding] = useDisclosure();
  const [removed, setRemoved] = useState<Item | null>(null);
  const shown = useLastValue(removed);
  const name = shown === null ? '' : labelOf(shown);
  const { label, mutation, toastTitle } = removal;
  const remove = () => {
    if (removed === null) return;
    mutation.mutate(removed.id, {
      onSuccess: () => toast.success(toastTitle, { description: `${name} · ${identifier}` }),
      onSettled: () => setRemoved(null),
    });
  };
  return (
    <Section
      title={title}
      description={description}
      isFlush
      actions={
        <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={adding.open}>
          {addLabel}
        </Button>
      }
    >
      {items.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <ul className={classes.entries} aria-label={listLabel}>
          {items.map((item) => (
            <EntryRow key={item.id} {...props} item={item}>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() => setRemoved(item)}
              >
                {label}
              </Menu.Item>
            </EntryRow>
          ))}
        </ul>
      )}
      {props.renderDialog(isAdding, adding.close)}
      <ConfirmDialog
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        title={removal.title(name)}
        confirmLabel={removal.confirmLabel(name)}
        isBusy={mutation.isPending}
        onConfirm={remove}
      >
        {removal.consequence}
      </ConfirmDialog>
    </Section>
  );
}

type EntryRowProps<Item extends Entry> = Pick<
  ManualEntryCardProps<Item>,
  'environments' | 'renderMember' | 'labelOf' | 'show'
> & {
  readonly item: Item;
  /** The row menu's items. */
  readonly children: ReactNode;
};

function EntryRow<Item extends Entry>(props: EntryRowProps<Item>) {
  const { item, environments, renderMember, labelOf, show = labelOf, children } = props;
  const { environmentId, until, reason, createdAt, createdByUserId } = item;
  const now = Date.now();
  const where = environments.find((each) => each.id === environmentId)?.name;
  const hasEnded = until !== null && until <= now;
  return (
    <li data-ended={hasEnded || undefined}>
      <Stack gap={2} miw={0}>
        <div className={classes.entryTitle}>{show(item)}</div>
        <div className="small breaks">{reason}</div>
        <Flex gap="0 10px" wrap="wrap" c="dimmed" fz="xs">
          <span>{environmentId === null ? 'All environments' : (where ?? 'a deleted environment')}</span>
          {until !== null && (
            <Hint label={formatInstant(until)}>
              <span data-ended={hasEnded || undefined}>
                {hasEnded ? 'ended' : 'ends'} {formatAge(until, now)}
              </span>
            </Hint>
          )}
          <span>
            {createdByUserId !== null && <>{renderMember(createdByUserId)}, </>}
            <Age at={createdAt} />
          </span>
        </Flex>
      </Stack>
      <RowMenu name={labelOf(item)}>{children}</RowMenu>
    </li>
  );
}
