/** Nothing but the defaults: TypeScript in components needs no more. */
export default {};
