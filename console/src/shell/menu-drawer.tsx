// The navigation of a narrow screen, in a drawer. Loaded when it is first opened.

import { Dialog } from '@base-ui/react/dialog';
import { Navigation } from './navigation.tsx';

type Props = { readonly isOpen: boolean; readonly onChange: (isOpen: boolean) => void };

export const MenuDrawer = ({ isOpen, onChange }: Props) => (
  <Dialog.Root open={isOpen} onOpenChange={onChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="dialog-shade" />
      <Dialog.Popup className="drawer" aria-label="Menu">
        <Navigation />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);
