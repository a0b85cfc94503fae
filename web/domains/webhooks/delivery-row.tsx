/** One event that was sent to a webhook, and its details once it is opened. */
import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { ShortAge } from '#web/ui/labels/age.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { DeliveryDetails, type DeliveryDetailsProps } from './delivery-details.tsx';
import { answerLabel, deliveryState, environmentOf } from './webhook-labels.ts';
import classes from './webhooks.module.css';

export interface DeliveryRowProps extends DeliveryDetailsProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function DeliveryRow({ isOpen, onToggle, ...details }: DeliveryRowProps) {
  const { delivery } = details;
  const { type, createdAt } = delivery;
  const { tone, label } = deliveryState(delivery);
  return (
    <li>
      <UnstyledButton className={classes.row} aria-expanded={isOpen} onClick={onToggle}>
        <StatusLabel tone={tone}>{label}</StatusLabel>
        <code className={`truncate ${classes.type}`}>{type}</code>
        <span className={`truncate muted ${classes.environment}`}>{environmentOf(delivery)}</span>
        <span className={`muted figures nowrap text-end ${classes.answer}`}>{answerLabel(delivery)}</span>
        <ShortAge at={createdAt} className="muted figures nowrap text-end" />
        <IconChevronDown size={15} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      {isOpen && <DeliveryDetails {...details} />}
    </li>
  );
}
