/**
 * Creates, alters and deletes tables: records the changes, and has the tablet servers carry them
 * out.
 *
 * <p>A change is first recorded, atomically, as the desired state: {@link
 * dev.kudu4j.master.tables.TableCreator}, {@link dev.kudu4j.master.tables.TableAlterer}, {@link
 * dev.kudu4j.master.tables.TableRemover}. From then on the change cannot get lost. The pending
 * actions are never stored: {@link dev.kudu4j.master.tables.ReconcileLoop} has the reconciler
 * derive them from the records and the reports, again and again, and {@link
 * dev.kudu4j.master.tables.ActionExecutor} starts a task for each action. A task looks up the
 * desired state before every attempt, so it may be started twice, too late or after a fail-over
 * without harm. Reports of the tablet servers are recorded by {@link
 * dev.kudu4j.master.tables.ReportRecorder}.
 *
 * <p>Design: docs/design/reconciler.md.
 */
package dev.kudu4j.master.tables;
