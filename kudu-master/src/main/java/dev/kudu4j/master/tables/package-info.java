/**
 * Create, alter and delete: decided here, carried out on the tablet servers.
 *
 * <p>A change is first recorded, in one step, as what shall be: {@link
 * dev.kudu4j.master.tables.TableCreator}, {@link dev.kudu4j.master.tables.TableAlterer}, {@link
 * dev.kudu4j.master.tables.TableRemover}. From then on it cannot get lost. What is still to be done
 * is never stored but read off the records, again and again: {@link
 * dev.kudu4j.master.tables.Sweeper} compares what shall be with what is, and starts a task for each
 * difference; each task asks the records anew before every attempt, so it may be started twice, too
 * late or after a fail-over without harm. What the tablet servers tell comes back through {@link
 * dev.kudu4j.master.tables.ReportRecorder}, which records the end.
 *
 * <p>The table of crashes is in docs/design/master.md.
 */
package dev.kudu4j.master.tables;
