/**
 * Mutations that are calls of one endpoint. Each ends when what its record `changes` has been read again, also after a failure: the server
 * may have made the change, or somebody else another one.
 */
import {
  type DataTag,
  type QueryClient,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf } from '#contracts/public/endpoint';
import { type CallInput, call } from './call.ts';
import { type Changing, refresh } from './refresh.ts';

type ChangingEndpoint = Endpoint & Changing;
type Body<E extends Endpoint> = [BodyInputOf<E>] extends [undefined] ? undefined : BodyInputOf<E>;

interface ChangeOptions<Answer, Input> {
  /** The screen shows the error itself, so no toast appears. */
  readonly isErrorShown?: boolean;
  /** Of the toast. */
  readonly errorTitle?: string;
  /** The read whose answer this is, too. The mutation then ends at once. */
  readonly keptAs?: (answer: Answer) => { readonly queryKey: DataTag<readonly unknown[], Answer, Error> };
  readonly onSuccess?: (answer: Answer, input: Input, client: QueryClient) => unknown;
  readonly onError?: (error: Error) => unknown;
  /** For errors that are none. */
  readonly recover?: (error: unknown) => Answer;
  readonly gcTime?: number;
}

/** @param input all parameters of the path, and the mutation takes the body; or the call, made of what the mutation takes */
export function useChange<E extends ChangingEndpoint, Input = Body<E>>(
  endpoint: E,
  input: ParamsOf<E> | ((input: Input) => CallInput<E>),
  options: ChangeOptions<AnswerOf<E>, Input> = {},
): UseMutationResult<AnswerOf<E>, Error, Input> {
  const { isErrorShown, errorTitle, keptAs, onSuccess, onError, recover, gcTime } = options;
  const client = useQueryClient();
  const inputOf = (given: Input) =>
    typeof input === 'function' ? input(given) : ({ params: input, body: given } as unknown as CallInput<E>);
  return useMutation({
    mutationFn: (given: Input) => {
      const made = call(endpoint, inputOf(given));
      return recover === undefined ? made : made.catch(recover);
    },
    meta: { isErrorShown, errorTitle },
    ...(gcTime !== undefined && { gcTime }),
    onError,
    onSuccess: (answer, given) => {
      if (keptAs !== undefined) client.setQueryData(keptAs(answer).queryKey, answer);
      return onSuccess?.(answer, given, client);
    },
    onSettled: (_answer, error, given) => {
      const refreshed = refresh(client, endpoint, inputOf(given), error === null);
      return keptAs === undefined ? refreshed : undefined;
    },
  });
}

/** What a form or dialog contains is the body. The form shows the error. */
export const useFormChange = <E extends ChangingEndpoint>(
  endpoint: E,
  params: ParamsOf<E>,
  options: ChangeOptions<AnswerOf<E>, Body<E>> = {},
) => useChange<E>(endpoint, params, { isErrorShown: true, ...options });

/** For mutations of several calls. */
export function useRefresh(endpoint: Changing, params: Readonly<Record<string, string>>) {
  const client = useQueryClient();
  return () => refresh(client, endpoint, { params });
}
