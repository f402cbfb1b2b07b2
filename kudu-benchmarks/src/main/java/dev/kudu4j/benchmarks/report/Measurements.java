package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All numbers of a run: for each figure and side, one a round.
 *
 * <p>Rounds of the sides are neighbours in time, so the ratio is taken round by round and its
 * median told: a slow minute of the machine then falls on all.
 */
public final class Measurements {
  private final List<Figure> order;
  private final Map<Figure, Map<Side, List<Double>>> values = new HashMap<>();

  /**
   * @param order what may be measured, in the order of the table
   */
  public Measurements(List<? extends Figure> order) {
    this.order = List.copyOf(order);
  }

  public void add(Side side, Figure figure, double value) {
    values
        .computeIfAbsent(figure, f -> new EnumMap<>(Side.class))
        .computeIfAbsent(side, s -> new ArrayList<>())
        .add(value);
  }

  /** In the order of the rounds; empty when the side has not run. */
  public double[] of(Side side, Figure figure) {
    return values.getOrDefault(figure, Map.of()).getOrDefault(side, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** What was measured, in the order of the table. */
  public List<Figure> figures() {
    return order.stream().filter(values::containsKey).toList();
  }

  /** The sides that ran, in their order. */
  public List<Side> sides() {
    return Arrays.stream(Side.values())
        .filter(side -> values.values().stream().anyMatch(bySide -> bySide.containsKey(side)))
        .toList();
  }

  /** What the other sides are compared with: the last of them; empty when one ran alone. */
  public Optional<Side> baseline() {
    List<Side> sides = sides();
    return sides.size() < 2 ? Optional.empty() : Optional.of(sides.get(sides.size() - 1));
  }

  /** Whether it is compared with another. */
  public boolean hasRatio(Side side) {
    return baseline().filter(baseline -> baseline != side).isPresent();
  }

  /** The median over the rounds of a side divided by the baseline; empty unless both ran. */
  public OptionalDouble ratio(Side side, Figure figure) {
    double[] own = of(side, figure);
    double[] other = baseline().map(baseline -> of(baseline, figure)).orElse(new double[0]);
    int rounds = Math.min(own.length, other.length);
    double[] ratios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ratios[round] = own[round] / other[round];
    }
    return rounds == 0 ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(ratios));
  }
}
