/** The tooltip of a `Hint`, in a file of its own because few visits need one. */
import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

export interface HintTooltipProps {
  readonly target: RefObject<HTMLElement | null>;
  readonly opened: boolean;
  readonly label: string;
  readonly position: 'top' | 'right';
}

export function HintTooltip(props: HintTooltipProps) {
  return <Tooltip {...props} />;
}
