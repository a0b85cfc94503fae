/** Makes keys of either type, as long as there may be more. */
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ApiKeyType, MAX_KEYS_PER_TYPE } from '#contracts/api-keys';
import classes from './keys.module.css';

export interface CreateKeyButtonsProps {
  /** How many more there may be; undefined while loading. */
  readonly remaining: Readonly<Record<ApiKeyType, number>> | undefined;
  /** The type that is being made. */
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
        {remaining === undefined ? 'Loading...' : remainingWords(remaining[type])}
      </Text>
    </span>
  ));
}

function remainingWords(count: number): string {
  return count <= 0 ? 'None left: revoke one first' : `${count} of ${MAX_KEYS_PER_TYPE} left`;
}
