/** Buttons that create a secret or public key, disabled once the limit is reached. */
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { MAX_KEYS_PER_TYPE } from '#contracts/console/api-keys';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import classes from './keys.module.css';

export interface CreateKeyButtonsProps {
  /** Keys left before the limit. Undefined while loading. */
  readonly remaining: Readonly<Record<ApiKeyType, number>> | undefined;
  /** The type of the key that is being created. */
  readonly pending: ApiKeyType | null;
  readonly onCreate: (type: ApiKeyType) => void;
}

const TYPES = ['secret', 'public'] as const;

export function CreateKeyButtons({ remaining, pending, onCreate }: CreateKeyButtonsProps) {
  return TYPES.map((type) => (
    <span key={type} className={classes.create}>
      <Button
        {...(type === 'public' && { variant: 'default' })}
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={remaining === undefined || remaining[type] <= 0 || (pending !== null && pending !== type)}
        loading={pending === type}
        aria-describedby={`${type}-keys-remaining`}
        onClick={() => onCreate(type)}
      >
        {`Create ${type} key`}
      </Button>
      <Text id={`${type}-keys-remaining`} size="xs" c="dimmed" component="span">
        {remaining === undefined ? 'Loading...' : remainingLabel(remaining[type])}
      </Text>
    </span>
  ));
}

function remainingLabel(count: number): string {
  return count <= 0 ? 'Limit reached. Revoke a key first' : `${count} of ${MAX_KEYS_PER_TYPE} left`;
}
