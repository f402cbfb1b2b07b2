package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.leaders.CoordinatorClient;
import dev.kudu4j.server.leaders.LeadingMaster;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The parts of a tablet server that take part in transactions.
 *
 * @param coordinators of the tablets of the table of transactions that this server leads
 * @param registrations of this server's tablets
 * @param calls of other servers
 * @param page of open transactions
 * @param publisher registers the metrics of transactions
 */
public record Transactions(
    Coordinators coordinators,
    Registrations registrations,
    TransactionCalls calls,
    WebPage page,
    Consumer<MeterRegistry> publisher) {
  /**
   * @param allocator borrowed, as the other parameters
   * @param executor reads rows
   */
  public static Transactions of(
      Flags flags,
      TabletRegistry tablets,
      LeadingMaster master,
      TabletLeaders leaders,
      HybridClock clock,
      BufferAllocator allocator,
      ScheduledExecutorService timer,
      Executor executor) {
    LongSupplier keepalive = () -> flags.get(CoordinatorOptions.KEEPALIVE_INTERVAL);
    TransactionMeters meters = new TransactionMeters();
    Coordinators coordinators =
        new Coordinators(
            tablets,
            allocator,
            new Coordinator.Environment(
                new ParticipantClient(leaders, clock),
                clock,
                new CommitLead(),
                meters,
                keepalive,
                flags.get(CoordinatorOptions.STALENESS_INTERVAL),
                flags.get(CoordinatorOptions.RETENTION),
                flags.get(CoordinatorOptions.BACKGROUND_TASKS),
                timer,
                executor));
    return new Transactions(
        coordinators,
        new Registrations(new CoordinatorClient(master, leaders), tablets, timer),
        new TransactionCalls(tablets, coordinators, clock, keepalive),
        TransactionsPage.of(coordinators, tablets, clock),
        registry -> meters.publish(registry, coordinators, tablets));
  }
}
