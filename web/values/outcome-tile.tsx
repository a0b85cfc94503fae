/** How a call ended, as a small tile in the colour of the outcome. */
import { IconAlertTriangle, IconBolt, IconCheck, IconX, type TablerIcon } from '@tabler/icons-react';
import type { EventOutcome } from '#contracts/console/events';
import classes from './decision-row.module.css';
import { OUTCOME_LABELS } from './event-labels.ts';

const ICONS: Readonly<Record<EventOutcome, TablerIcon>> = {
  allowed: IconCheck,
  denied: IconX,
  warning: IconAlertTriangle,
  error: IconBolt,
};

export interface OutcomeTileProps {
  readonly outcome: EventOutcome;
  /** False for what is only received: it is neither allowed nor denied. */
  readonly isDecision?: boolean;
  /** Whether screen readers hear the outcome. False beside a label that says it. */
  readonly isNamed?: boolean;
}

export function OutcomeTile({ outcome, isDecision = true, isNamed = true }: OutcomeTileProps) {
  const isReceived = outcome === 'allowed' && !isDecision;
  const Icon = ICONS[outcome];
  return (
    <span className={`${classes.tile} ${isReceived ? 'muted' : outcome}`} data-outcome={outcome}>
      <Icon size={14} aria-hidden />
      {isNamed && (
        <span className="visually-hidden">{isReceived ? 'Received' : OUTCOME_LABELS[outcome]}</span>
      )}
    </span>
  );
}
