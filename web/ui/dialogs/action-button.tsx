/** A button that ignores further clicks for one second, so that a double click runs its action once. */
import { Button, type ButtonProps } from '@mantine/core';
import { type ComponentPropsWithoutRef, type MouseEvent, useRef } from 'react';

/** In milliseconds. */
export const IGNORE_CLICKS_MS = 1000;

export type ActionButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

export function ActionButton({ onClick, ...props }: ActionButtonProps) {
  const lastClickAt = useRef(Number.NEGATIVE_INFINITY);
  const handle = (event: MouseEvent<HTMLButtonElement>) => {
    if (event.timeStamp - lastClickAt.current < IGNORE_CLICKS_MS) {
      event.preventDefault();
      return;
    }
    lastClickAt.current = event.timeStamp;
    onClick?.(event);
  };
  return <Button {...props} onClick={handle} />;
}
