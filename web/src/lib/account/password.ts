/** The server's rule for passwords that a form can check. */
export const MIN_PASSWORD_LENGTH = 10;
