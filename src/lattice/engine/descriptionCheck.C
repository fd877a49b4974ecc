#include "descriptionCheck.H"
#include "backends.H"
#include "choices.H"
#include "exchange/communicator.H"
#include "layoutChoice.H"
#include "linkCheck.H"
#include "moments/innerPartition.H"

#include <algorithm>
#include <sstream>

namespace lbm
{

namespace
{

//- The collision exists on the lattice, and so do the parameters given for it
void checkCollision(const engineSettings& s)
{
    withNamed<lattices>("lattice", s.lattice, [&](auto l)
    {
        withCollisionOf<typename decltype(l)::type>(s.collision, [](auto) {});
    });

    const auto valid = traitsOf(s.collision).parameters;
    for (const auto& given : s.collisionParameters)
    {
        const auto p = std::find_if
        (
            valid.begin(), valid.end(),
            [&](const collisionParameter& x) { return x.name == given.first; }
        );
        if (p == valid.end())
        {
            std::string text;
            for (const collisionParameter& x : valid)
            {
                text += " " + x.name;
            }
            throw error
            (
                "unknown parameter '" + given.first + "' of collision "
              + s.collision + ", valid ones are:"
              + (valid.empty() ? " none" : text)
            );
        }
        if (!(given.second > p->above && given.second < p->below))
        {
            std::ostringstream text;
            text<< p->name << " of collision " << s.collision << " is "
                << given.second << ", but must be between " << p->above
                << " and " << p->below;
            throw error(text.str());
        }
    }
}

} // End anonymous namespace


void checkDescription(const engineSettings& s, const latticeDescription& d)
{
    indexOf<layouts>("layout", s.layout);
    indexOf<precisions>("precision", s.precision);
    if (keepsMoments(s))
    {
        const std::string reason = innerPartition::refused(s, d);
        if (!reason.empty())
        {
            throw error
            (
                "storage " + s.storage + " is not possible: " + reason
              + "; populations is valid"
            );
        }
    }
    if (!(s.relaxationTime > 0.5))
    {
        throw error
        (
            "relaxation time " + std::to_string(s.relaxationTime)
          + " is not larger than 1/2"
        );
    }
    if (!(s.magicParameter > 0))
    {
        throw error
        (
            "magic parameter " + std::to_string(s.magicParameter)
          + " is not positive"
        );
    }
    if (s.bulkRelaxationTime != 0 && !(s.bulkRelaxationTime > 0.5))
    {
        throw error
        (
            "bulk relaxation time " + std::to_string(s.bulkRelaxationTime)
          + " is neither larger than 1/2 nor 0"
        );
    }
    if (!(s.largestOddTime > 0.5))
    {
        throw error
        (
            "largest relaxation time of the odd moments "
          + std::to_string(s.largestOddTime) + " is not larger than 1/2"
        );
    }

    const bool alone = !s.communicator || s.communicator->size() == 1;
    if (!alone && s.devices.size() > 1)
    {
        throw error
        (
            "an engine whose lattice has parts in other processes has one"
            " device, not " + std::to_string(s.devices.size())
        );
    }
    if
    (
        alone
     && (!d.halos.empty() || !d.sent.empty() || !d.received.empty())
    )
    {
        throw error
        (
            "the engine of a part of a lattice needs processes with the others"
        );
    }

    const auto nBox = d.size[0]*d.size[1]*d.size[2];
    if (nBox <= 0 || std::int64_t(d.fluid.size()) != nBox)
    {
        throw error("lattice box and flags differ in size");
    }

    checkCollision(s);
    for (const backendEntry& b : backends())
    {
        if (b.name == s.backend && b.checkInstalled)
        {
            b.checkInstalled(s);
        }
    }
    checkLinks(s, d);
}

} // End namespace lbm
