// Short messages about finished actions, each with the next step. Screen readers announce them.

import { Toast } from '@base-ui/react/toast';
import { errorMessage, requestIdOf } from '../api.ts';
import { Icon } from './icon.tsx';

type Said = { readonly title: string; readonly text?: string };

const manager = Toast.createToastManager();
/** Called on sign-out: the next user must not see the messages of this one. */
export const closeToasts = (): void => manager.close();

const GOOD_MS = 6_000;
const BAD_MS = 15_000;

export const showToast = ({ title, text }: Said): void => {
  manager.add({ title, type: 'good', timeout: GOOD_MS, ...(text ? { description: text } : {}) });
};

export const showErrorToast = (title: string, error: unknown): void => {
  const requestId = requestIdOf(error);
  const description = errorMessage(error) + (requestId ? ` (request ${requestId})` : '');
  manager.add({ title, description, type: 'bad', timeout: BAD_MS, priority: 'high' });
};

export const Toasts = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

const ToastList = () => {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title className="toast-title" />
      <Toast.Description className="toast-words" />
      <Toast.Close className="id-copy toast-close" aria-label="Close message">
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ));
};
