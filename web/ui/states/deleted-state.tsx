/** Replaces the page of something that no longer exists. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from './empty-state.tsx';

export interface DeletedStateProps {
  readonly title: string;
  /** The list that it was in. */
  readonly list: { readonly label: string; readonly to: string };
  readonly children: ReactNode;
}

export function DeletedState({ title, list: { label, to }, children }: DeletedStateProps) {
  return (
    <EmptyState
      title={title}
      action={
        <Button component={Link} to={to} variant="default">
          {label}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
