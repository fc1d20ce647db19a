/** Texts of notifications. */
const en = {
  heading: "Notifications",
  text: "In correspondence games, with days for a move, you can be told when it is your turn.",
  push: "On this device",
  pushOn: "Turn on for this device",
  pushOff: "Turn off",
  isOn: "This device shows a notification when it is your turn.",
  unsupported: "This browser has no notifications here. They need https, and on iPhones the page on the home screen.",
  denied: "This browser does not allow notifications from this page. Allow them in its settings, then try again.",
  failed: "The browser’s push service cannot be reached. Try again later.",
  noSession: "Play a game or log in first.",
  email: "By e-mail",
  address: "E-mail address",
  saveAddress: "Send a link to confirm it",
  waiting: (address: string): string => `Open the link in the message to ${address} to confirm the address.`,
  confirmed: (address: string): string => `Messages go to ${address}.`,
  deleteAddress: "Delete the address",
  accountOnly: "E-mail needs an account.",
  confirm: { heading: "Confirm your e-mail address", button: "Confirm", done: "The address is confirmed." },
  unsubscribe: {
    heading: "No more e-mail",
    button: "Delete my address here",
    done: "The address is deleted. You get no more messages.",
  },
  toSettings: "To the settings",
};

const de: typeof en = {
  heading: "Benachrichtigungen",
  text: "In Fernpartien, mit Tagen für einen Zug, kannst du erfahren, wenn du am Zug bist.",
  push: "Auf diesem Gerät",
  pushOn: "Für dieses Gerät einschalten",
  pushOff: "Ausschalten",
  isOn: "Dieses Gerät zeigt eine Benachrichtigung, wenn du am Zug bist.",
  unsupported:
    "Dieser Browser hat hier keine Benachrichtigungen. Sie brauchen https, und auf iPhones die Seite auf dem Home-Bildschirm.",
  denied:
    "Dieser Browser erlaubt dieser Seite keine Benachrichtigungen. Erlaube sie in seinen Einstellungen und versuche es noch einmal.",
  failed: "Der Push-Dienst des Browsers ist nicht erreichbar. Versuche es später noch einmal.",
  noSession: "Spiele erst eine Partie oder melde dich an.",
  email: "Per E-Mail",
  address: "E-Mail-Adresse",
  saveAddress: "Link zur Bestätigung senden",
  waiting: (address: string): string => `Öffne den Link in der Nachricht an ${address}, um die Adresse zu bestätigen.`,
  confirmed: (address: string): string => `Nachrichten gehen an ${address}.`,
  deleteAddress: "Adresse löschen",
  accountOnly: "Für E-Mail brauchst du ein Konto.",
  confirm: { heading: "E-Mail-Adresse bestätigen", button: "Bestätigen", done: "Die Adresse ist bestätigt." },
  unsubscribe: {
    heading: "Keine E-Mails mehr",
    button: "Meine Adresse hier löschen",
    done: "Die Adresse ist gelöscht. Du bekommst keine Nachrichten mehr.",
  },
  toSettings: "Zu den Einstellungen",
};

export const NOTIFICATION_TEXTS = { en, de };
