package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.reconcile.ClusterView;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What tasks read and call.
 *
 * @param view what the reconciler would see now
 * @param reader takes reports that come with an answer
 * @param recorder records what an answer means for a tablet
 * @param replacer takes refusals that time does not cure
 * @param worker runs what may block while the catalog is written
 */
record TaskContext(
    Catalog catalog,
    ObservedTablets observed,
    ServerRegistry servers,
    Supplier<ClusterView> view,
    TabletServerCalls calls,
    ReportReader reader,
    ReportRecorder recorder,
    TabletReplacer replacer,
    MemberSelector members,
    Executor worker) {}
