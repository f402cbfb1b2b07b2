/**
 * Create, alter and delete: decided here, carried out on the tablet servers.
 *
 * <p>A change is first recorded, in one step, as what should be: {@link
 * dev.kudu4j.master.tables.TableCreator}, {@link dev.kudu4j.master.tables.TableAlterer}, {@link
 * dev.kudu4j.master.tables.TableRemover}. From then on it cannot get lost. What is left to do is
 * never stored: {@link dev.kudu4j.master.tables.ReconcileLoop} has the reconciler derive it from
 * the records and the reports, again and again, and {@link dev.kudu4j.master.tables.ActionExecutor}
 * starts a task for each action. A task looks up what is wanted before every attempt, so it may be
 * started twice, too late or after a fail-over without harm. What the tablet servers report is
 * recorded by {@link dev.kudu4j.master.tables.ReportRecorder}.
 *
 * <p>Design: docs/design/reconciler.md.
 */
package dev.kudu4j.master.tables;
