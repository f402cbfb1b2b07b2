package dev.kudu4j.benchmarks.options;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.report.Side;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Which clusters are asked, through which clients.
 *
 * <pre>
 *   neither                     ours and the published Apache Kudu, both started here
 *   --against A                 A, through both clients
 *   --against A --baseline B    A through both clients, and B through the published one
 * </pre>
 */
public final class SideOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private HomeOptions home;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "SIDE",
      description = {
        "Run some sides only, with commas between: ${COMPLETION-CANDIDATES}.",
        "By default all, or all but OUR_CLIENT, our client on Apache Kudu's servers, which only"
            + " 'bench client' asks; what was given by --against stands for ours, by --baseline for"
            + " Apache Kudu's."
      })
  private Set<Side> only;

  @Option(
      names = "--against",
      paramLabel = "MASTERS",
      description =
          "Ask this cluster, which may be any that speaks Kudu's protocol, and start none:"
              + " HOST:PORT of each master, with commas between.")
  private String against;

  @Option(
      names = "--baseline",
      paramLabel = "MASTERS",
      description = "With --against: compare with this cluster.")
  private String baseline;

  @Option(
      names = "--replicas",
      defaultValue = "1",
      description = "Replicas of each tablet, and tablet servers of each cluster that is started.")
  private int replicas;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server that is started, in MB.")
  private int memoryLimitMegabytes;

  public int replicas() {
    return replicas;
  }

  /** The sides that run. The same source serves two clients. */
  public Map<Side, ClusterSource> sources() {
    return sources(List.of());
  }

  /**
   * @param publishedFlags of the published Apache Kudu, if it is started
   */
  public Map<Side, ClusterSource> sources(List<String> publishedFlags) {
    return sources(EnumSet.complementOf(EnumSet.of(Side.OUR_CLIENT)), publishedFlags);
  }

  /**
   * @param byDefault the sides that run when none are named
   * @param publishedFlags of the published Apache Kudu, if it is started
   */
  public Map<Side, ClusterSource> sources(Set<Side> byDefault, List<String> publishedFlags) {
    if (baseline != null && against == null) {
      throw new ParameterException(command.commandLine(), "--baseline needs --against");
    }
    if (replicas < 1 || replicas % 2 == 0) {
      throw new ParameterException(command.commandLine(), "--replicas must be odd, as 1 or 3");
    }
    ClusterSource ours = null;
    ClusterSource theirs = null;
    Map<Side, ClusterSource> sources = new EnumMap<>(Side.class);
    for (Side side : sides(byDefault)) {
      if (side.hasOurServers()) {
        ours = ours != null ? ours : oursOrGiven();
        sources.put(side, ours);
      } else {
        theirs = theirs != null ? theirs : theirsOrGiven(publishedFlags);
        sources.put(side, theirs);
      }
    }
    return sources;
  }

  private Set<Side> sides(Set<Side> byDefault) {
    Set<Side> sides = EnumSet.copyOf(only != null ? only : byDefault);
    if (against != null && baseline == null) {
      sides.removeIf(side -> !side.hasOurServers());
    }
    if (sides.isEmpty()) {
      throw new ParameterException(
          command.commandLine(), "--only leaves nothing to run: these sides need --baseline");
    }
    return sides;
  }

  private ClusterSource oursOrGiven() {
    return against != null ? new ClusterSource.Given(against) : started(home.ours(), List.of());
  }

  private ClusterSource theirsOrGiven(List<String> flags) {
    return baseline != null ? new ClusterSource.Given(baseline) : started(home.published(), flags);
  }

  private ClusterSource started(Distribution distribution, List<String> moreFlags) {
    List<String> flags = new ArrayList<>(moreFlags);
    flags.add("--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20));
    return new ClusterSource.Started(distribution, replicas, flags);
  }

  /** What a side is called in the table. */
  public String title(Side side) {
    if (against == null) {
      return side.title();
    }
    return (side.hasOurServers() ? against : baseline)
        + (side.hasOurClient() ? ", our client" : ", published client");
  }

  /** What the servers are called. */
  public String serversTitle(boolean ours) {
    if (against == null) {
      return ours ? "Kudu4j's servers" : "Apache Kudu's servers";
    }
    return ours ? against : baseline;
  }

  /** For the file that programs read. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("replicas", replicas);
    if (against == null) {
      map.put("memory_limit_hard_bytes", (long) memoryLimitMegabytes << 20);
    } else {
      map.put("against", against);
      map.put("baseline", baseline);
    }
    return map;
  }
}
