/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam.

    lbmGpuFoam is free software: you can redistribute it and/or modify it
    under the terms of the GNU General Public License as published by
    the Free Software Foundation, either version 3 of the License, or
    (at your option) any later version.

    lbmGpuFoam is distributed in the hope that it will be useful, but WITHOUT
    ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
    FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
    for more details.

    You should have received a copy of the GNU General Public License
    along with lbmGpuFoam.  If not, see <http://www.gnu.org/licenses/>.

\*---------------------------------------------------------------------------*/

#include "browserAccess.H"
#include "viewDisplay.H"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <sys/random.h>
#include <unistd.h>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

bool isAddress(const std::string& name)
{
    unsigned char address[sizeof(in6_addr)];
    return
        inet_pton(AF_INET, name.c_str(), address) == 1
     || inet_pton(AF_INET6, name.c_str(), address) == 1;
}


// Of this machine, in lower case; empty if unknown
std::string machineName()
{
    char name[256] = "";
    if (gethostname(name, sizeof(name) - 1) != 0)
    {
        return "";
    }
    return lbmView::hostName(name);
}


bool beginsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

} // End anonymous namespace


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

std::string lbmView::newToken()
{
    unsigned char bytes[16];
    std::size_t filled = 0;
    while (filled < sizeof(bytes))
    {
        const ssize_t n = getrandom(bytes + filled, sizeof(bytes) - filled, 0);
        if (n > 0)
        {
            filled += static_cast<std::size_t>(n);
        }
        else if (errno != EINTR)
        {
            throw viewError("the system gives no random numbers");
        }
    }

    std::string token;
    for (const unsigned char byte : bytes)
    {
        token += "0123456789abcdef"[byte >> 4];
        token += "0123456789abcdef"[byte & 15];
    }
    return token;
}


bool lbmView::sameToken(std::string_view given, std::string_view token)
{
    if (given.size() != token.size())
    {
        return false;
    }

    volatile unsigned char difference = 0;
    for (std::size_t i = 0; i < token.size(); ++i)
    {
        difference = difference
          | static_cast<unsigned char>(given[i] ^ token[i]);
    }
    return difference == 0;
}


std::string lbmView::hostName(std::string_view host)
{
    std::string_view name;
    std::string_view rest;
    const bool brackets = !host.empty() && host[0] == '[';

    if (brackets)
    {
        const std::size_t end = host.find(']');
        if (end == std::string_view::npos)
        {
            return "";
        }
        name = host.substr(1, end - 1);
        rest = host.substr(end + 1);
    }
    else
    {
        const std::size_t end = std::min(host.find(':'), host.size());
        name = host.substr(0, end);
        rest = host.substr(end);
    }

    if (name.size() > 253 || rest.size() == 1 || rest.size() > 6)
    {
        return "";
    }
    for (std::size_t i = 0; i < rest.size(); ++i)
    {
        if (i == 0 ? rest[i] != ':' : rest[i] < '0' || rest[i] > '9')
        {
            return "";
        }
    }

    std::string result;
    for (const char c : name)
    {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if
        (
            !(letter || digit || c == '.' || (brackets ? c == ':' : c == '-'))
        )
        {
            return "";
        }
        result += letter ? static_cast<char>(c | 0x20) : c;
    }
    return result;
}


bool lbmView::isLoopback(const std::string& name)
{
    in_addr v4;
    in6_addr v6;

    if (inet_pton(AF_INET, name.c_str(), &v4) == 1)
    {
        return (ntohl(v4.s_addr) >> 24) == 127;
    }
    if (inet_pton(AF_INET6, name.c_str(), &v6) == 1)
    {
        return IN6_IS_ADDR_LOOPBACK(&v6);
    }
    return name == "localhost";
}


bool lbmView::isOwnHost(std::string_view host, const bool remote)
{
    const std::string name = hostName(host);

    if (name.empty())
    {
        return false;
    }
    if (isLoopback(name))
    {
        return true;
    }
    if (!remote)
    {
        return false;
    }
    if (isAddress(name))
    {
        return true;
    }

    // With or without the domain
    const std::string own = machineName();
    return
        !own.empty()
     && (
            name == own
         || beginsWith(name, own + '.')
         || beginsWith(own, name + '.')
        );
}


bool lbmView::isOwnOrigin(std::string_view origin, std::string_view host)
{
    const std::string_view scheme("http://");
    if (!beginsWith(origin, scheme))
    {
        return false;
    }
    origin.remove_prefix(scheme.size());

    return
        origin == host
     || (isLoopback(hostName(origin)) && isLoopback(hostName(host)));
}


// ************************************************************************* //
