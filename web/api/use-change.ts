/** A mutation that ends with a refresh, also after a failure: the server may have made the change, or somebody else another one. */
import {
  type QueryClient,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';

/** @param refresh what the change makes stale */
export function useChange<Answer, Input = void>(
  refresh: (client: QueryClient) => unknown,
  options: Omit<UseMutationOptions<Answer, Error, Input>, 'onSettled'>,
) {
  const client = useQueryClient();
  return useMutation({ ...options, onSettled: () => refresh(client) });
}
