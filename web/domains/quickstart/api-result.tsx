/** The outcome of the API step's check: the response, a customer that no Stripe account has, or a failure. */
import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconUserQuestion } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { TestCheckAnswer } from '#contracts/console/test-access';
import { ApiError } from '#web/api/api-error.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { allowedCount, allowedLabel } from './allowed-features.ts';
import { isTokenRefused } from './identity.ts';
import type { SeenResponse } from './missing-part.ts';
import classes from './quickstart.module.css';

interface Actions {
  readonly isFinished: boolean;
  readonly isBusy: boolean;
  /** Resets the step. */
  readonly onRetry: () => void;
  readonly onSkip: () => void;
  readonly onFinish: () => void;
}

export interface ApiAnswerProps extends Actions {
  readonly answer: TestCheckAnswer;
  /** What was sent. */
  readonly subject: string;
  readonly isToken: boolean;
  /** What to create next. */
  readonly noteOf: (response: SeenResponse) => ReactNode;
}

export function ApiAnswer({ answer, subject, isToken, noteOf, ...actions }: ApiAnswerProps) {
  const { response, diagnostics } = answer;
  if (response.status === 'error') return <Failure response={response} message="" {...actions} />;
  const { isCustomer, identifier } = diagnostics.storeData.customerData;
  const isRefused = isTokenRefused(response.warnings);
  const { isFinished, isBusy, onRetry, onSkip, onFinish } = actions;
  const who = isToken ? 'The token’s user' : subject;
  const { plans } = diagnostics;
  const isAllowed = allowedCount(response.features) > 0;
  const Icon = !isCustomer ? IconUserQuestion : isAllowed ? IconCircleCheck : IconCircleX;
  const finish = (
    <Button variant={isCustomer ? 'filled' : 'default'} onClick={onFinish} disabled={isBusy}>
      {isFinished ? 'Go to Dashboard' : isCustomer ? 'Finish' : 'Finish anyway'}
    </Button>
  );
  return (
    <Result
      title={
        isCustomer
          ? isFinished
            ? 'Response'
            : 'Your first response'
          : isRefused
            ? '5. Token not accepted'
            : '5. Customer not found'
      }
      icon={<Icon size={18} aria-hidden />}
      tone={isCustomer && isAllowed ? 'allowed' : 'warning'}
      response={response}
      actions={
        <>
          {isCustomer && finish}
          <Button variant={isCustomer ? 'default' : 'filled'} onClick={onRetry}>
            Try another
          </Button>
          {!isCustomer && finish}
          {!isCustomer && !isFinished && (
            <Button variant="subtle" color="gray" onClick={onSkip} disabled={isBusy}>
              Skip
            </Button>
          )}
        </>
      }
    >
      {isCustomer
        ? `${who} has ${listed(plans)}. ${valuesLabel(response.features, plans)}`
        : !isRefused &&
          `${isToken ? 'The token’s user' : `“${subject}”`} isn’t a customer of a connected Stripe account. The API still responds, with the plans you grant to everyone.`}
      {response.warnings.map(({ code, message }) => (
        <Text key={code} span display="block" mt={4}>
          {message}
        </Text>
      ))}
      {!isRefused && noteOf({ hasVersion: true, hasPlan: plans.length > 0, customer: identifier })}
    </Result>
  );
}

export function ApiFailure({ error, ...actions }: Actions & { readonly error: Error }) {
  const response =
    error instanceof ApiError
      ? {
          status: 'error',
          errorType: error.errorType,
          message: error.message,
          ...(error.issues.length > 0 && { issues: error.issues }),
          requestId: error.requestId,
        }
      : { status: 'error', message: error.message };
  return <Failure response={response} message={error.message} {...actions} />;
}

function Failure({
  response,
  message,
  isFinished,
  isBusy,
  onRetry,
  onSkip,
}: Actions & { readonly response: object; readonly message: string }) {
  return (
    <Result
      title="Oops, something went wrong!"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      tone="denied"
      response={response}
      actions={
        <>
          <Button onClick={onRetry}>Retry</Button>
          {!isFinished && (
            <Button variant="default" onClick={onSkip} disabled={isBusy}>
              Skip
            </Button>
          )}
        </>
      }
    >
      {message || 'The check failed. Nothing was changed.'}
    </Result>
  );
}

interface ResultProps {
  readonly title: string;
  readonly icon: ReactNode;
  readonly tone: 'allowed' | 'warning' | 'denied';
  readonly response: object;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

function Result({ title, icon, tone, response, actions, children }: ResultProps) {
  const box = useRef<HTMLDivElement>(null);
  // The pressed button is gone, so keyboard focus moves to the outcome.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className={classes.body} role="status" aria-label={title}>
      <Section title={title}>
        <div className={classes.answer}>
          <Group gap={12} wrap="nowrap">
            <span className={`icon-tile rigid ${tone}`}>{icon}</span>
            <div className="breaks">{children}</div>
          </Group>
          <CodeBlock
            label="the response"
            code={JSON.stringify(response, null, 2)}
            head={<span>Response</span>}
          />
          <Group gap={8}>{actions}</Group>
        </div>
      </Section>
    </div>
  );
}

/** 'Allowed: 2 of 3 features.' */
function valuesLabel(features: Parameters<typeof allowedLabel>[0], plans: readonly string[]): string {
  const label = allowedLabel(features);
  return label === '' || plans.length > 0 ? label : `${label} Values are the defaults unless overridden.`;
}

function listed(plans: readonly string[]): string {
  if (plans.length === 0) return 'no plan yet';
  return plans.length === 1
    ? `the plan ${plans[0]}`
    : `the plans ${new Intl.ListFormat('en-GB').format(plans)}`;
}
