/** Changes of the user's own profile. */
import { useMutation } from '@tanstack/react-query';
import { answerOf } from '../../api/auth-call.ts';
import { authClient } from '../../api/auth-client.ts';

export const useUpdateProfile = () =>
  useMutation({ mutationFn: (body: { name: string }) => answerOf(authClient.updateUser(body)) });
