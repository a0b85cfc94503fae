/** What is said of a customer by hand, one kind in a card: who said it, why, where and until when, and the way to take it back. */
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import type { CustomerGrant, CustomerOverride } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import { Age } from '../../ui/age.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatAge, formatInstant } from '../../ui/format.ts';
import { Hint } from '../../ui/hint.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Section } from '../../ui/section.tsx';
import { useKept } from '../../ui/use-kept.ts';
import classes from './customers.module.css';

type Said = CustomerGrant | CustomerOverride;

/** How something that was said is taken back; `name` is what nameOf calls it. */
export interface TakingBack {
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

export interface SaidCardProps<Item extends Said> {
  readonly title: string;
  readonly description: string;
  readonly addLabel: string;
  readonly listLabel: string;
  readonly none: string;
  readonly identifier: string;
  readonly items: readonly Item[];
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
  readonly nameOf: (item: Item) => string;
  /** The item's own line; its name unless told. */
  readonly show?: (item: Item) => ReactNode;
  readonly takingBack: TakingBack;
  readonly renderDialog: (isOpen: boolean, onClose: () => void) => ReactNode;
}

export function SaidCard<Item extends Said>(props: SaidCardProps<Item>) {
  const { title, description, addLabel, listLabel, none, identifier, items, nameOf, takingBack } = props;
  const [isAdding, adding] = useDisclosure();
  const [doomed, setDoomed] = useState<Item | null>(null);
  const shown = useKept(doomed);
  const name = shown === null ? '' : nameOf(shown);
  const { label, mutation, toastTitle } = takingBack;
  const takeBack = () => {
    if (doomed === null) return;
    mutation.mutate(doomed.id, {
      onSuccess: () => toast.success(toastTitle, { description: `${name} · ${identifier}` }),
      onSettled: () => setDoomed(null),
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
        <ul className={classes.said} aria-label={listLabel}>
          {items.map((item) => (
            <SaidItem key={item.id} {...props} item={item}>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() => setDoomed(item)}
              >
                {label}
              </Menu.Item>
            </SaidItem>
          ))}
        </ul>
      )}
      {props.renderDialog(isAdding, adding.close)}
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={takingBack.title(name)}
        confirmLabel={takingBack.confirmLabel(name)}
        isBusy={mutation.isPending}
        onConfirm={takeBack}
      >
        {takingBack.consequence}
      </ConfirmDialog>
    </Section>
  );
}

type SaidItemProps<Item extends Said> = Pick<
  SaidCardProps<Item>,
  'environments' | 'renderMember' | 'nameOf' | 'show'
> & {
  readonly item: Item;
  /** Its menu. */
  readonly children: ReactNode;
};

function SaidItem<Item extends Said>(props: SaidItemProps<Item>) {
  const { item, environments, renderMember, nameOf, show = nameOf, children } = props;
  const { environmentId, until, reason, createdAt, createdByUserId } = item;
  const now = Date.now();
  const where = environments.find((each) => each.id === environmentId)?.name;
  const hasEnded = until !== null && until <= now;
  return (
    <li data-ended={hasEnded || undefined}>
      <div className={classes.saidWords}>
        <div className={classes.saidTitle}>{show(item)}</div>
        <div className={classes.saidWhy}>{reason}</div>
        <div className={classes.saidFacts}>
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
        </div>
      </div>
      <RowMenu name={nameOf(item)}>{children}</RowMenu>
    </li>
  );
}
