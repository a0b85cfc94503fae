/** The reason for a manual change: shown in the customer's history, and recorded in the audit log. */
import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { MAX_REASON } from '#contracts/public/customers';

export interface ReasonFieldProps {
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (reason: string) => void;
}

export function ReasonField({ value, error, onChange }: ReasonFieldProps) {
  return (
    <Textarea
      label="Reason"
      description="Shown to your team in the customer’s history."
      placeholder="Agreed with Ada on the phone"
      required
      autosize
      minRows={2}
      maxRows={5}
      maxLength={MAX_REASON}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\n/g, ' '))}
    />
  );
}
