package dev.kudu4j.server.rpc;

import static j2html.TagCreator.h2;
import static j2html.TagCreator.span;
import static j2html.TagCreator.text;

import dev.kudu4j.common.rpc.CallTimeline.Span;
import dev.kudu4j.common.rpc.ConnectionView;
import dev.kudu4j.common.rpc.ConnectionView.CallView;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.metrics.RpcMeters;
import dev.kudu4j.server.metrics.RpcMeters.MethodCounts;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The page of connections, calls in flight, and call durations by method. */
public final class RpcPage {
  static final String PATH = "/rpcz";

  private static final long WAIT_SECONDS = 5;

  private record OpenCall(ConnectionView connection, CallView call) {}

  private RpcPage() {}

  /**
   * @param connections the current connections of the server
   */
  public static WebPage of(
      RpcMeters meters, Supplier<CompletableFuture<List<ConnectionView>>> connections) {
    return WebPage.of(
        PATH, "RPCs", query -> view(meters.methods(), await(connections.get()), query));
  }

  private static List<ConnectionView> await(CompletableFuture<List<ConnectionView>> connections) {
    try {
      return connections.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (ExecutionException | TimeoutException e) {
      throw KuduException.serviceUnavailable(
          "The event loops did not answer within %d s; try again", WAIT_SECONDS);
    }
  }

  static View view(List<MethodCounts> methods, List<ConnectionView> connections, Query query) {
    Slice<ConnectionView> shown = Slice.of(connections, query);
    return View.of(
        "RPCs",
        h2("Calls in flight"),
        calls(connections),
        h2("Methods since the start"),
        methods(methods),
        h2("Where the time goes: median / 99 % of one call in 16"),
        spans(methods),
        h2("Connections"),
        connections(shown.rows()),
        shown.pager(PATH + "?"));
  }

  private static DomContent calls(List<ConnectionView> connections) {
    List<OpenCall> open = new ArrayList<>();
    for (ConnectionView connection : connections) {
      connection.calls().forEach(call -> open.add(new OpenCall(connection, call)));
    }
    open.sort(Comparator.comparing(entry -> -entry.call.nanos()));
    return DataTable.<OpenCall>of("Calls in flight")
        .text("Method", entry -> entry.call.method())
        .text("Service", entry -> shortName(entry.call.service()))
        .text("User", entry -> entry.connection.caller().user())
        .id("From", entry -> text(entry.connection.caller().origin()))
        .number("For", entry -> Figures.duration(entry.call.nanos()))
        .cell(
            "State",
            entry -> entry.call.started() ? Badges.good("running") : Badges.passing("waiting"))
        .whenEmpty("None at this moment.")
        .rows(open.subList(0, Math.min(open.size(), Slice.ROWS)));
  }

  private static DomContent methods(List<MethodCounts> methods) {
    List<MethodCounts> sorted = new ArrayList<>(methods);
    sorted.sort(Comparator.comparing(MethodCounts::service).thenComparing(MethodCounts::method));
    return DataTable.<MethodCounts>of("Methods")
        .text("Method", MethodCounts::method)
        .text("Service", method -> shortName(method.service()))
        .number("Calls", method -> Figures.count(method.received()))
        .number("Failed", method -> countIfAny(method.failed()))
        .number("Median", method -> percentile(method, 50))
        .number("95 %", method -> percentile(method, 95))
        .number("99 %", method -> percentile(method, 99))
        .number("99.9 %", method -> percentile(method, 99.9))
        .number("Longest", method -> micros(method, method.handling().max()))
        .number("Received", method -> Figures.bytes(method.bytesIn()))
        .number("Sent", method -> Figures.bytes(method.bytesOut()))
        .whenEmpty("No call yet.")
        .rows(sorted);
  }

  private static DomContent spans(List<MethodCounts> methods) {
    List<MethodCounts> sampled = new ArrayList<>(methods);
    sampled.removeIf(method -> method.span(Span.SEND).count() == 0);
    sampled.sort(Comparator.comparing(MethodCounts::service).thenComparing(MethodCounts::method));
    DataTable<MethodCounts> table =
        DataTable.<MethodCounts>of("Spans")
            .dense()
            .text("Method", MethodCounts::method)
            .number("Sampled", method -> Figures.count(method.span(Span.SEND).count()));
    for (Span span : Span.values()) {
      table = table.number(title(span), method -> medianAndTail(method.span(span)));
    }
    return table.whenEmpty("No call yet.").rows(sampled);
  }

  private static String title(Span span) {
    return switch (span) {
      case LOOP -> "Event loop";
      case QUEUE -> "Queue";
      case HANDLER -> "Handler";
      case RAFT -> "Raft";
      case APPLY -> "Apply";
      case SEND -> "Send";
    };
  }

  private static DomContent medianAndTail(Distribution durations) {
    return durations.count() == 0
        ? Figures.none()
        : span(
            Figures.duration(TimeUnit.MICROSECONDS.toNanos(durations.percentile(50))),
            text(" / "),
            Figures.duration(TimeUnit.MICROSECONDS.toNanos(durations.percentile(99))));
  }

  private static DomContent countIfAny(long count) {
    return count == 0 ? Figures.none() : Figures.count(count);
  }

  private static DomContent percentile(MethodCounts method, double percent) {
    return micros(method, method.handling().percentile(percent));
  }

  private static DomContent micros(MethodCounts method, long micros) {
    return method.handling().count() == 0
        ? Figures.none()
        : Figures.duration(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  private static DomContent connections(List<ConnectionView> connections) {
    return DataTable.<ConnectionView>of("Connections")
        .id("From", connection -> text(connection.caller().origin()))
        .text("User", connection -> connection.caller().user())
        .number("Calls in flight", connection -> Figures.count(connection.calls().size()))
        .rows(connections);
  }

  /**
   * The last part of a service's name: {@code MasterService} for {@code kudu.master.MasterService}.
   */
  private static String shortName(String service) {
    return service.substring(service.lastIndexOf('.') + 1);
  }
}
